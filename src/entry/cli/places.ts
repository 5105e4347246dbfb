import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { resolvePlaces, type Places } from "../../core/config/places.ts";
import { TrueupError } from "../../errors.ts";
import type { WriteArtifact } from "../../app/gather/evaluate-change.ts";
import { createSystemClock } from "../../adapters/machine/node/clock.ts";
import { createUuidIds } from "../../adapters/machine/node/uuid-ids.ts";
import type { Terminal } from "./terminal.ts";

/** State and cache of this machine; both made with mode 0700 when absent. */
export async function openPlaces(terminal: Terminal): Promise<Places> {
  const resolved = resolvePlaces(terminal.env);
  if (!resolved.resolved)
    throw new TrueupError("state-unwritable", { subject: resolved.variable, detail: resolved.reason });
  for (const directory of [resolved.places.state, resolved.places.cache]) {
    await mkdir(directory, { recursive: true, mode: 0o700 }).catch((cause: unknown) => {
      throw new TrueupError("state-unwritable", { subject: directory, cause });
    });
  }
  return resolved.places;
}

/** A directory for the artifacts of one check: `wanted`, or a new one in the state directory. */
export async function createOutDirectory(
  terminal: Terminal,
  wanted: string | null,
): Promise<{ directory: string; write: WriteArtifact }> {
  const places = await openPlaces(terminal);
  const id = createUuidIds(createSystemClock()).next();
  const directory = wanted === null ? path.join(places.state, "checks", id, "out") : path.resolve(terminal.cwd, wanted);
  await mkdir(directory, { recursive: true, mode: 0o700 }).catch((cause: unknown) => {
    throw new TrueupError("state-unwritable", { subject: directory, cause });
  });
  return { directory, write: (name, content) => writeWhole(path.join(directory, name), content) };
}

async function writeWhole(file: string, content: Uint8Array | string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const part = `${file}.${process.pid}.part`;
  try {
    await writeFile(part, content, { mode: 0o600 });
    await rename(part, file);
  } catch (cause) {
    await rm(part, { force: true });
    const full = (cause as NodeJS.ErrnoException).code === "ENOSPC";
    throw new TrueupError(full ? "disk-full" : "state-unwritable", { subject: file, cause });
  }
}
