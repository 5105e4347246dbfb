import type { Clock } from "../../src/ports/index.ts";

/** A clock that moves one second with every look, so that nothing depends on the machine's time. */
export function createFakeClock(start = 1_700_000_000_000): Clock {
  let now = start;
  return {
    now: () => (now += 1000),
    monotonic: () => (now += 1000) - start,
  };
}
