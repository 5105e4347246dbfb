import { randomUUID } from "node:crypto";
import { execFile } from "node:child_process";
import { lstat, mkdir, opendir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { RoomRequest } from "../../../ports/sandbox.ts";
import { TrueupError } from "../../../errors.ts";

/** A plain directory with the layers copied into it, cloned where the file system can. */
export interface CopiedTree {
  readonly path: string;
  close(): Promise<void>;
}

/** Copies all layers into `<parent>/copy-<pid>-<uuid>/tree`. Throws `disk-full` or `sandbox-failed`. */
export async function openCopy(request: RoomRequest, parent: string): Promise<CopiedTree> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  await sweepCopies(parent);
  const root = join(parent, `copy-${process.pid}-${randomUUID()}`);
  const path = join(root, "tree");
  await mkdir(path, { recursive: true });
  const close = (): Promise<void> => rm(root, { recursive: true, force: true });
  try {
    await copyInto(request.base, path);
    for (const delta of request.deltas) {
      await clearConflicts(Buffer.from(delta), Buffer.from(path));
      await copyInto(delta, path);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { path, close };
}

async function copyInto(from: string, to: string): Promise<void> {
  try {
    await promisify(execFile)("cp", ["-a", "--reflink=auto", "--remove-destination", "--", `${from}/.`, to], {
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
    });
  } catch (cause) {
    const detail = String((cause as { stderr?: unknown }).stderr ?? cause);
    throw new TrueupError(detail.includes("No space left") ? "disk-full" : "sandbox-failed", {
      subject: "work tree",
      detail,
      cause,
    });
  }
}

/** Removes what stands where the delta has another kind of entry, so that no copy goes through a link. */
async function clearConflicts(delta: Buffer, target: Buffer): Promise<void> {
  for (const entry of await readdir(delta, { withFileTypes: true, encoding: "buffer" })) {
    const there = joinBytes(target, entry.name);
    const found = await lstat(there).catch(() => null);
    if (found === null) continue;
    if (found.isDirectory() !== entry.isDirectory()) await rm(there, { recursive: true, force: true });
    else if (entry.isDirectory()) await clearConflicts(joinBytes(delta, entry.name), there);
  }
}

const joinBytes = (parent: Buffer, name: Buffer): Buffer => Buffer.concat([parent, Buffer.from("/"), name]);

/** Copies of executors that were killed. */
async function sweepCopies(parent: string): Promise<void> {
  for await (const entry of await opendir(parent)) {
    const pid = /^copy-(\d+)-/u.exec(entry.name)?.[1];
    if (pid === undefined || Number(pid) === process.pid) continue;
    const alive = await stat(`/proc/${pid}`).then(
      () => true,
      () => false,
    );
    if (!alive) await rm(join(parent, entry.name), { recursive: true, force: true });
  }
}
