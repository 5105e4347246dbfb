import { exitCodeOf, TrueupError } from "../../errors.ts";
import { escapeTerminal, logJson } from "../../reporters/index.ts";
import { writeLine, type Terminal } from "./terminal.ts";

/** Says what failed, why and what to do, as text on stderr or as JSON on stdout; returns the exit code. A bug keeps its stack. */
export async function printError(terminal: Terminal, error: unknown, json: boolean): Promise<number> {
  if (!(error instanceof TrueupError)) throw error;
  if (json) {
    const { code, category, retryable, message, hint } = error;
    await writeLine(terminal.stdout, logJson({ error: { code, category, retryable, message, hint } }));
  } else {
    await writeLine(terminal.stderr, `trueup: ${escapeTerminal(error.message)} [${error.code}]`);
    await writeLine(terminal.stderr, `  ${escapeTerminal(error.hint)}`);
  }
  return exitCodeOf(error);
}
