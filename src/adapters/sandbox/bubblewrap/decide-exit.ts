import type { ExitFact } from "../../../core/facts/index.ts";

/** Why the executor ended a run by itself; the first cause stays. */
export type StopCause = "timeout" | "idle" | "output" | "cancelled";

/** Everything known of a run's end. */
export interface RunEnding {
  readonly cause: StopCause | null;
  /** As the operating system reports bubblewrap's end. */
  readonly code: number | null;
  readonly signal: string | null;
  /** As bubblewrap reports the program's end. */
  readonly statusCode: number | null;
  /** Processes of the run that the kernel killed for memory. */
  readonly memoryKills: number;
  readonly stderr: string;
}

/** What came of a run: an exit, or a sandbox that never started the program. */
export type ExitDecision =
  | { readonly kind: "exit"; readonly exit: ExitFact }
  | { readonly kind: "not-started"; readonly reason: "forbidden" | "failed"; readonly detail: string };

const without = (error: ExitFact["error"], signal: string | null = null): ExitDecision => ({
  kind: "exit",
  exit: { code: null, error, signal },
});

const forbidden =
  /No permissions to creat(?:e|ing) new namespace|Creating new namespace failed|setting up uid map|unshare failed: Operation not permitted|reassociate to namespaces? .*failed|loopback: Failed/u;

/** bubblewrap's only words when the program cannot be executed. */
const notExecuted =
  /^bwrap: execvp .*: (No such file or directory|Permission denied|Exec format error|Not a directory)\n$/u;

/** First cause wins: what the executor did, then what the kernel did, then the two exit codes, which must agree. */
export function decideExit(ending: RunEnding): ExitDecision {
  if (ending.cause !== null) return without(ending.cause, ending.signal);
  if (ending.memoryKills > 0) return without("memory", ending.signal);
  if (ending.signal !== null) return without("signal", ending.signal);
  if (ending.statusCode === null) return notStarted(ending);
  if (ending.statusCode !== ending.code) return without("codes-differ");
  return { kind: "exit", exit: { code: ending.code, error: null, signal: null } };
}

/** bubblewrap writes no status when the program cannot be executed, nor when it fails itself. */
function notStarted(ending: RunEnding): ExitDecision {
  const refused = ending.code === 1 ? notExecuted.exec(ending.stderr)?.[1] : undefined;
  if (refused !== undefined) return without(refused.startsWith("No such") ? "not-found" : "not-executable");
  const detail = ending.stderr.trim().slice(0, 2000) || `bubblewrap ended with ${ending.code} and no words`;
  return { kind: "not-started", reason: forbidden.test(detail) ? "forbidden" : "failed", detail };
}
