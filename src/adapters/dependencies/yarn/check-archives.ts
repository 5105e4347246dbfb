import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { TrueupError } from "../../../errors.ts";
import type { YarnLockfile } from "./yarn-lockfile.ts";

/**
 * Sums up again what yarn made of the tarballs: yarn's lockfile names archives of its own, so the door could not compare
 * what it passed on. Every package that has a sum in the lockfile must lie in yarn's cache with exactly that sum, or not be
 * there at all because it is for another platform. Throws `dependency-integrity`.
 */
export async function checkArchives(lock: YarnLockfile, cache: string): Promise<void> {
  const names = (await readdir(cache).catch(() => [])).filter((name) => name.endsWith(".zip"));
  const wanted = new Set(lock.archives.values());
  for (const name of names) {
    // Patched packages are archives of their own, made inside from one of these and a file of the tree.
    if (/-patch-[0-9a-f]+/u.test(name)) continue;
    const sum = createHash("sha512")
      .update(await readFile(join(cache, name)))
      .digest("hex");
    if (wanted.has(sum)) continue;
    throw new TrueupError("dependency-integrity", {
      subject: lock.path,
      detail: `${name} does not have the sum that the lockfile names`,
    });
  }
}
