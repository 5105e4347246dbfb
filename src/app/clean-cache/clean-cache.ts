import { planClean, totalBytes, type CacheEntry } from "../../core/cache/index.ts";
import type { CacheKeeper } from "../../ports/index.ts";

/** What cleaning did, or would do. */
export interface CleanedCache {
  readonly bytes_before: number;
  readonly bytes_after: number;
  readonly max_bytes: number;
  /** What was removed, least recently used first. */
  readonly removed: readonly CacheEntry[];
  /** What a living process uses, so that it stayed. */
  readonly held: readonly CacheEntry[];
}

/** Removes the least recently used entries until the rest fits into `maxBytes`; what is in use stays, whatever that costs. */
export async function cleanCache(
  keeper: CacheKeeper,
  options: { readonly maxBytes: number; readonly dryRun: boolean },
): Promise<CleanedCache> {
  const entries = await keeper.list();
  const removed: CacheEntry[] = [];
  const held = entries.filter((entry) => entry.held);
  for (const entry of planClean(entries, options.maxBytes)) {
    const outcome = options.dryRun ? "removed" : await keeper.remove(entry);
    (outcome === "removed" ? removed : held).push(entry);
  }
  const before = totalBytes(entries);
  const after = before - totalBytes(removed);
  return { bytes_before: before, bytes_after: after, max_bytes: options.maxBytes, removed, held };
}
