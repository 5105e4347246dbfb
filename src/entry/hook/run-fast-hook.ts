import { TrueupError } from "../../errors.ts";
import { printError } from "../cli/print-error.ts";
import type { Terminal } from "../cli/terminal.ts";
import { answerProbe } from "./answer-probe.ts";

/**
 * Runs `trueup hook run NAME`, for the names that must be quick, and returns the exit code. `TRUEUP_HOOK=probe` only asks
 * whether anybody is here: doctor does.
 */
export async function runFastHook(words: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = words;
  try {
    if (name === "stop" || name === "pre-tool") {
      const { runAgentHook } = await import("./run-agent-hook.ts");
      return await runAgentHook(name, rest, terminal);
    }
    if (terminal.env["TRUEUP_HOOK"] === "off") return 0;
    if (terminal.env["TRUEUP_HOOK"] === "probe") return await answerProbe(name ?? "", terminal);
    if (name !== "pre-commit") throw new TrueupError("usage", { subject: name ?? "hook run" });
    const { runPreCommit } = await import("./run-pre-commit.ts");
    return await runPreCommit(terminal);
  } catch (error) {
    await printError(terminal, error, false);
    return 1;
  }
}
