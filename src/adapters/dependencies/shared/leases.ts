import { randomUUID } from "node:crypto";
import { mkdir, readFile, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Digest } from "../../../core/digest.ts";
import { createHeld, holderWords, isHolderDead } from "./key-lock.ts";

/**
 * Marks the stores of these keys as in use by this process, and takes back the marks of processes that are gone. A mark is
 * never taken over, only removed, so two that look at once do no harm. Returns the release.
 */
export async function takeLeases(directory: string, keys: readonly Digest[]): Promise<() => Promise<void>> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await reclaimDeadLeases(directory);
  const words = await holderWords();
  const leases = keys.map((key) => join(directory, `${key.slice("sha256:".length)}.${randomUUID()}`));
  await Promise.all(leases.map((lease) => createHeld(lease, words)));
  return async () => {
    await Promise.all(leases.map((lease) => rm(lease, { force: true })));
  };
}

/** A lease that cannot be read, or names nobody, is not ours to judge. */
async function reclaimDeadLeases(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const words = await readFile(join(directory, name), "utf8").catch(() => null);
    if (words !== null && (await isHolderDead(words))) await rm(join(directory, name), { force: true });
  }
}
