import type { CacheArea, CacheEntry } from "../core/cache/index.ts";
import type { Digest } from "../core/digest.ts";

/** Runs of base by what could change them; what a repository was like when it was last found fit; pushed trees that passed. */
type CacheKind = "baselines" | "fits" | "pushes";

/** Values in zone A that can always be made again. A damaged entry reads as absent. */
export interface Cache {
  read(kind: CacheKind, key: Digest): Promise<unknown>;
  write(kind: CacheKind, key: Digest, value: unknown): Promise<void>;
}

/** Keeps directories of the cache from being removed under whoever uses them. */
export interface CacheHolds {
  /**
   * Marks an entry as in use, and as used now, before the caller looks whether it is there; waits while it is being
   * removed. Held until the returned release, at most as long as this process lives.
   */
  hold(area: CacheArea, name: string): Promise<() => Promise<void>>;
}

/** The whole cache, for those who look after its size. */
export interface CacheKeeper {
  list(): Promise<readonly CacheEntry[]>;
  /** Removes an entry in one step, unless somebody holds it. */
  remove(entry: CacheEntry): Promise<"removed" | "held">;
}
