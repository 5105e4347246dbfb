import type { Digest } from "../core/digest.ts";

/** Values in zone A that can always be made again. A damaged entry reads as absent. */
export interface Cache {
  read(kind: "baselines", key: Digest): Promise<unknown>;
  write(kind: "baselines", key: Digest, value: unknown): Promise<void>;
}
