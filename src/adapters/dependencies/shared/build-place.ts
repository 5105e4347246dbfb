import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { holderWords, isHolderAlive } from "./key-lock.ts";

const prefix = ".build-";

/** Makes the directory of one installation below a store, with `home/` in it; what dead processes left there is removed. */
export async function openBuildPlace(store: string): Promise<string> {
  await sweepDeadBuilds(store);
  const build = join(store, `${prefix}${randomUUID()}`);
  await mkdir(join(build, "home"), { recursive: true, mode: 0o700 });
  await mkdir(join(build, "project"));
  await writeFile(join(build, "owner"), await holderWords(), { mode: 0o600 });
  return build;
}

/** Removes what processes that are gone left half built. */
async function sweepDeadBuilds(store: string): Promise<void> {
  for (const name of await readdir(store)) {
    if (!name.startsWith(prefix)) continue;
    const owner = await readFile(join(store, name, "owner"), "utf8").catch(() => null);
    if (owner !== null && !(await isHolderAlive(owner))) await rm(join(store, name), { recursive: true, force: true });
  }
}

/** A short path of our own for a socket: the kernel allows about a hundred characters. */
export function openSocketDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), "trueup-"));
}
