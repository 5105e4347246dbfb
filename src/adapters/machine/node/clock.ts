import type { Clock } from "../../../ports/index.ts";

/** The machine's own clock. */
export function createSystemClock(): Clock {
  return { now: () => Date.now(), monotonic: () => Number(process.hrtime.bigint()) / 1e6 };
}
