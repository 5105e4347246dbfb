import type { Verdict } from "../../src/core/gate/verdict.ts";
import type { Ran } from "./deliver-side.ts";
import { codesAtCounts, codesBeyondB } from "./evidence-layers.ts";

/** How one delivery ended. `error`: there is no verdict, and no answer about the case either. */
export interface Outcome {
  readonly outcome: "passed" | "blocked" | "undetermined" | "error";
  readonly grade: string | null;
  /** Codes of what blocks or is undetermined, sorted. */
  readonly codes: readonly string[];
  readonly warns: readonly string[];
  /** What would have been decided without direction, canary and held-out tests; and by counts, scope and caps alone. */
  readonly b: Reading;
  readonly counts: Reading;
  /** `code subject: detail` of all of them, or the error, for a person. */
  readonly said: readonly string[];
}

/** What the findings of a smaller set of rules amount to. */
export type Reading = "passed" | "blocked" | "undetermined" | "error";

/** Reads what `trueup deliver --json` answered. */
export function readOutcome(ran: Ran): Outcome {
  const verdict = parseVerdict(ran.stdout);
  if (verdict === null || verdict.outcome === "unchecked") {
    const said = [`exit ${ran.exit}: ${(ran.stderr || ran.stdout).trim().slice(0, 2000)}`];
    return { outcome: "error", grade: null, codes: [], warns: [], b: "error", counts: "error", said };
  }
  const reading = (keep: (code: string) => boolean): Reading => {
    const kept = verdict.findings.filter(({ code }) => keep(code)).map(({ severity }) => severity);
    return kept.includes("block") ? "blocked" : kept.includes("undetermined") ? "undetermined" : "passed";
  };
  const codes = (...wanted: readonly string[]): readonly string[] =>
    [...new Set(verdict.findings.filter((one) => wanted.includes(one.severity)).map(({ code }) => code))].toSorted();
  return {
    outcome: verdict.outcome,
    grade: verdict.grade.value,
    codes: codes("block", "undetermined"),
    warns: codes("warn"),
    b: reading((code) => !codesBeyondB.has(code)),
    counts: reading((code) => codesAtCounts.has(code)),
    said: [
      ...verdict.findings.map((one) => `${one.severity} ${one.code} ${one.subject}: ${one.detail}`),
      ...verdict.grade.costs.map((cost) => `${verdict.grade.value}: ${cost}`),
    ],
  };
}

function parseVerdict(stdout: string): Verdict | null {
  const line = stdout
    .split("\n")
    .filter((one) => one.startsWith("{"))
    .at(-1);
  if (line === undefined) return null;
  return ((JSON.parse(line) as { verdict?: Verdict | null }).verdict ?? null) satisfies Verdict | null;
}
