import { access, constants, mkdir, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Places } from "../../core/config/places.ts";
import { TrueupError } from "../../errors.ts";
import type { WriteArtifact } from "../../app/gather/evaluate-change.ts";
import { createSystemClock } from "../../adapters/machine/node/clock.ts";
import { createUuidIds } from "../../adapters/machine/node/uuid-ids.ts";
import { knownPlaces } from "../run/known-places.ts";
import type { Terminal } from "./terminal.ts";

/**
 * State and cache of this machine, both made with mode 0700 when absent. Throws `state-*` and `cache-*` for a directory
 * that is not ours alone: whoever writes into the cache decides what is tested.
 */
export async function openPlaces(terminal: Terminal): Promise<Places> {
  const places = knownPlaces(terminal.env);
  const { state, cache } = places;
  await openOwnDirectory(state, { kind: "state", closed: 0o077 });
  await openOwnDirectory(cache, { kind: "cache", closed: 0o022 });
  return places;
}

async function openOwnDirectory(
  directory: string,
  { kind, closed }: { readonly kind: "state" | "cache"; readonly closed: number },
): Promise<void> {
  const info = await makeDirectories(directory)
    .then(() => access(directory, constants.W_OK | constants.X_OK))
    .then(() => stat(directory))
    .catch((cause: unknown) => {
      throw writeFailure(`${kind}-unwritable`, directory, cause);
    });
  if (!info.isDirectory())
    throw new TrueupError(`${kind}-unwritable`, { subject: directory, detail: "not a directory" });
  const uid = process.geteuid?.() ?? info.uid;
  if (info.uid !== uid)
    throw new TrueupError(`${kind}-insecure`, { subject: directory, detail: `it belongs to user ${info.uid}` });
  if ((info.mode & closed) !== 0)
    throw new TrueupError(`${kind}-insecure`, {
      subject: directory,
      detail: `its mode is ${(info.mode & 0o7777).toString(8)}`,
    });
}

/** As `mkdir -p`, mode 0700. Node's own never comes back where a file system (`/proc`) refuses with ENOENT. */
async function makeDirectories(directory: string): Promise<void> {
  const make = (): Promise<void> =>
    mkdir(directory, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  await make().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT" || path.dirname(directory) === directory) throw error;
    await makeDirectories(path.dirname(directory));
    await make();
  });
}

/** `disk-full` when that is the reason, else the code of the place that could not be written. */
function writeFailure(
  code: "state-unwritable" | "cache-unwritable" | "out-unwritable",
  subject: string,
  cause: unknown,
): TrueupError {
  if (cause instanceof TrueupError) return cause;
  const errno = (cause as NodeJS.ErrnoException).code ?? String(cause);
  if (errno === "ENOSPC" || errno === "EDQUOT") return new TrueupError("disk-full", { subject, cause });
  return new TrueupError(code, { subject, detail: errno, cause });
}

/** A directory for the artifacts of one check: `wanted`, or one in the state directory that the first artifact makes. */
export async function createOutDirectory(
  terminal: Terminal,
  wanted: string | null,
): Promise<{ directory: string; write: WriteArtifact; places: readonly string[] }> {
  const places = await openPlaces(terminal);
  const id = createUuidIds(createSystemClock()).next();
  const directory = wanted === null ? path.join(places.state, "checks", id, "out") : path.resolve(terminal.cwd, wanted);
  const code = wanted === null ? "state-unwritable" : "out-unwritable";
  if (wanted !== null)
    await openOutDirectory(directory).catch((cause: unknown) => {
      throw writeFailure(code, directory, cause);
    });
  return {
    directory,
    write: (name, content) => writeWhole(path.join(directory, name), content, code),
    places: [await realpath(places.state), await realpath(places.cache)],
  };
}

/** Found out now, and not after the tests have run. */
async function openOutDirectory(directory: string): Promise<void> {
  await makeDirectories(directory);
  if (!(await stat(directory)).isDirectory())
    throw new TrueupError("out-unwritable", { subject: directory, detail: "it is not a directory" });
  await access(directory, constants.W_OK | constants.X_OK);
}

async function writeWhole(
  file: string,
  content: Uint8Array | string,
  code: "state-unwritable" | "out-unwritable",
): Promise<void> {
  const part = `${file}.${process.pid}.part`;
  try {
    await makeDirectories(path.dirname(file));
    await writeFile(part, content, { mode: 0o600 });
    await rename(part, file);
  } catch (cause) {
    await rm(part, { force: true }).catch(() => undefined);
    throw writeFailure(code, file, cause);
  }
}
