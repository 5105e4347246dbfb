import type { RecordError } from "../../core/record/index.ts";
import type { ProcessEnd, StartFailure } from "../../ports/index.ts";

/** What a record says of a command's end, and what the wrapper exits with. */
export interface Ending {
  readonly exit_code: number | null;
  readonly error: RecordError | null;
  /** A number, or the signal whose number is added to 128. */
  readonly exit: number | NodeJS.Signals;
}

const startExits = { "not-found": 127, "not-executable": 126, spawn: 125 } as const;

/** Nothing ran, and the record says why. */
export function decideStartFailure({ kind, detail }: StartFailure): Ending {
  return { exit_code: null, error: { kind, detail, signal: null }, exit: startExits[kind] };
}

/** The first cause wins: a limit or an interruption, then a signal, then what makes the exit code unbelievable. */
export function decideEnding(end: ProcessEnd, timeoutMs: number | null): Ending {
  const said = end.signal === null ? `it then exited ${String(end.exitCode)}` : `it then died of ${end.signal}`;
  if (end.timedOut)
    return failed("timeout", `not done after ${(timeoutMs ?? 0) / 1000} s; ${said}`, { signal: end.signal, exit: 124 });
  if (end.interruptedBy !== null) return bySignal(end.interruptedBy, `interrupted by ${end.interruptedBy}; ${said}`);
  if (end.signal !== null) return bySignal(end.signal, `ended by ${end.signal}`);
  if (end.survivors.length > 0)
    return failed("runner-fault", `processes that could not be ended: ${end.survivors.join(", ")}; ${said}`, {});
  if (end.outputLost.length > 0)
    return failed("output-lost", `the end of ${end.outputLost.join(" and ")} was never seen; ${said}`, {});
  return { exit_code: end.exitCode, error: null, exit: end.exitCode ?? 125 };
}

function bySignal(signal: string, detail: string): Ending {
  return failed("signal", detail, { signal, exit: signal as NodeJS.Signals });
}

function failed(
  kind: RecordError["kind"],
  detail: string,
  more: { readonly signal?: string | null; readonly exit?: Ending["exit"] },
): Ending {
  return { exit_code: null, error: { kind, detail, signal: more.signal ?? null }, exit: more.exit ?? 125 };
}
