import type { Verdict } from "../../core/gate/verdict.ts";
import { logJson, renderTerminal } from "../../reporters/index.ts";
import type { Judged } from "../../app/gather/evaluate-change.ts";
import { wantsColor, writeLine, type Terminal } from "./terminal.ts";

/** 0 passed, 1 blocked, 3 undetermined or unchecked. */
export function exitCodeOfVerdict(verdict: Verdict): 0 | 1 | 3 {
  return verdict.outcome === "passed" ? 0 : verdict.outcome === "blocked" ? 1 : 3;
}

/** Prints a judged change: the report for people, or one JSON object with `extra` beside the verdict. */
export async function printJudged(
  terminal: Terminal,
  judged: Judged,
  options: { json: boolean; extra: Record<string, unknown> },
): Promise<void> {
  if (options.json) await writeLine(terminal.stdout, logJson({ ...options.extra, verdict: judged.verdict }));
  else
    await writeLine(
      terminal.stdout,
      renderTerminal(judged, { color: wantsColor(terminal, terminal.stdout) }).trimEnd(),
    );
}
