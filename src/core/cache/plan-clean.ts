/** The parts of the cache whose entries are removed one by one. */
export const cacheAreas = ["mirrors", "dependencies", "bases", "toolchains", "baselines", "fits", "pushes"] as const;
export type CacheArea = (typeof cacheAreas)[number];

/** One thing in the cache that can be made again. */
export interface CacheEntry {
  readonly area: CacheArea;
  readonly name: string;
  /** What it takes on disk. */
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly used_at_ms: number;
  /** Whether a living process uses it. */
  readonly held: boolean;
}

/**
 * What must go so that the rest fits into `maxBytes`: the least recently used first, never what is in use. Entries used at
 * the same moment go larger first.
 */
export function planClean(entries: readonly CacheEntry[], maxBytes: number): readonly CacheEntry[] {
  let left = totalBytes(entries);
  const candidates = entries.filter((entry) => !entry.held).toSorted(byUse);
  return candidates.filter((entry) => {
    if (left <= maxBytes) return false;
    left -= entry.bytes;
    return true;
  });
}

/** What entries take together, in bytes. */
export function totalBytes(entries: readonly CacheEntry[]): number {
  return entries.reduce((sum, entry) => sum + entry.bytes, 0);
}

function byUse(a: CacheEntry, b: CacheEntry): number {
  return a.used_at_ms - b.used_at_ms || b.bytes - a.bytes;
}
