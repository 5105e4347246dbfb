import type { Digest } from "../core/digest.ts";

/** Runs of base by what could change them; what a repository was like when it was last found fit. */
type CacheKind = "baselines" | "fits";

/** Values in zone A that can always be made again. A damaged entry reads as absent. */
export interface Cache {
  read(kind: CacheKind, key: Digest): Promise<unknown>;
  write(kind: CacheKind, key: Digest, value: unknown): Promise<void>;
}
