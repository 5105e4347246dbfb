import { exitCodeOf, TrueupError } from "../../errors.ts";
import { writeLine, type Terminal } from "./terminal.ts";

/** Says what failed, why and what to do, as text on stderr or as JSON on stdout; returns the exit code. A bug keeps its stack. */
export async function printError(terminal: Terminal, error: unknown, json: boolean): Promise<number> {
  if (!(error instanceof TrueupError)) throw error;
  if (json) {
    const { code, category, retryable, message, hint } = error;
    await writeLine(terminal.stdout, JSON.stringify({ error: { code, category, retryable, message, hint } }));
  } else {
    await writeLine(terminal.stderr, `trueup: ${error.message} [${error.code}]`);
    await writeLine(terminal.stderr, `  ${error.hint}`);
  }
  return exitCodeOf(error);
}
