import type { Limits } from "../../../ports/sandbox.ts";
import type { StopCause } from "./decide-exit.ts";

/** Ends a run for the first cause that comes up: wall time, idle time, output, the caller's wish. */
export interface RunClock {
  cause(): StopCause | null;
  stop(cause: StopCause): void;
  /** Something moved: idle time starts again. */
  moved(): void;
  /** The process ended: nothing can be a cause any more. */
  end(): void;
}

/** Starts counting. `kill` is called once, with the first cause already set. */
export function startRunClock(limits: Limits, kill: () => void, signal?: AbortSignal): RunClock {
  let cause: StopCause | null = null;
  let ended = false;
  const stop = (why: StopCause): void => {
    if (cause !== null || ended) return;
    cause = why;
    kill();
  };
  const wall = setTimeout(() => stop("timeout"), limits.wall_ms);
  const idle = limits.idle_ms === null ? null : setTimeout(() => stop("idle"), limits.idle_ms);
  const onAbort = (): void => stop("cancelled");
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted === true) queueMicrotask(onAbort);
  return {
    cause: () => cause,
    stop,
    moved: () => void idle?.refresh(),
    end: () => {
      ended = true;
      clearTimeout(wall);
      if (idle !== null) clearTimeout(idle);
      signal?.removeEventListener("abort", onAbort);
    },
  };
}
