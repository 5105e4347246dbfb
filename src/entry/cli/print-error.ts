import { exitCodeOf } from "../../errors.ts";
import { escapeTerminal, logJson } from "../../reporters/index.ts";
import { describeError } from "./describe-error.ts";
import { writeLine, type Terminal } from "./terminal.ts";

/**
 * Says what failed, why and what to do, as text on stderr or as one JSON object on stdout; returns the exit code. Only a
 * bug shows its stack, on stderr.
 */
export async function printError(terminal: Terminal, thrown: unknown, json: boolean): Promise<number> {
  const error = describeError(thrown);
  const { code, category, retryable, message, hint } = error;
  if (json) await writeLine(terminal.stdout, logJson({ error: { code, category, retryable, message, hint } }));
  else {
    await writeLine(terminal.stderr, `trueup: ${escapeTerminal(message)} [${code}]`);
    await writeLine(terminal.stderr, `  ${escapeTerminal(hint)}`);
  }
  const stack = code === "internal-error" && thrown instanceof Error ? (thrown.stack ?? "") : "";
  for (const line of stack === "" ? [] : stack.split("\n")) await writeLine(terminal.stderr, escapeTerminal(line));
  return exitCodeOf(error);
}
