import type { ExitFact } from "../facts/index.ts";
import { block } from "./rule.ts";
import type { Finding } from "./verdict.ts";

/** How a process ended, in words of a report line: `exit 0`, `exit none (timeout)`, `exit none (signal SIGKILL)`. */
export function exitText(exit: ExitFact): string {
  const why = [exit.error, exit.signal].filter((part) => part !== null).join(" ");
  if (exit.code === null) return `exit none (${why === "" ? "no cause known" : why})`;
  return why === "" ? `exit ${exit.code}` : `exit ${exit.code} (${why})`;
}

/** `null-exit` when there is no exit code to believe: none at all, or one that came with an error or a signal. */
export function exitFindings(exit: ExitFact, subject: string, command: string): readonly Finding[] {
  const believable = exit.code !== null && Number.isInteger(exit.code) && exit.error === null && exit.signal === null;
  return believable ? [] : [block("null-exit", subject, `${command}: ${exitText(exit)}`)];
}
