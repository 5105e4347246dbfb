import { randomBytes } from "node:crypto";
import { formatUuidV7 } from "../../../core/uuid-v7.ts";
import type { Clock, Ids } from "../../../ports/index.ts";

const sequenceLimit = 0x1000;

/** UUIDv7 identifiers that sort in the order they were made, also within a millisecond and when the clock steps back. */
export function createUuidIds(clock: Pick<Clock, "now">): Ids {
  let milliseconds = 0;
  let sequence = 0;
  return {
    next() {
      const now = clock.now();
      sequence = now > milliseconds ? 0 : sequence + 1;
      milliseconds = Math.max(now, milliseconds) + (sequence === sequenceLimit ? 1 : 0);
      sequence %= sequenceLimit;
      return formatUuidV7(milliseconds, sequence, randomBytes(8));
    },
  };
}
