import type { AcceptanceContract } from "../core/contract/index.ts";
import type { Claim, Facts } from "../core/facts/index.ts";
import type { AppliedOverride, Finding, Verdict } from "../core/gate/index.ts";

/** What every reporter is given: the decision and what it was made from. */
export interface Report {
  readonly verdict: Verdict;
  readonly facts: Facts;
  readonly contract: AcceptanceContract | null;
  /** What the agent claimed, where it is not the one in the facts. */
  readonly claim?: Claim | null;
}

/** How many criteria passed, of how many. Findings never count here. */
export function countChecks(verdict: Verdict): { readonly passed: number; readonly total: number } {
  const passed = verdict.criteria.filter((one) => one.outcome === "passed").length;
  return { passed, total: verdict.criteria.length };
}

/**
 * The first line of every report, as plain text. The bare form stands only over a verdict `passed`; any other form names
 * what blocks.
 */
export function headline(verdict: Verdict): string {
  const { passed, total } = countChecks(verdict);
  const checks = `Acceptance: ${passed}/${total} checks passed`;
  if (verdict.outcome === "unchecked") return "Acceptance: not machine-checked";
  if (verdict.outcome === "passed") return `${checks} ${passedBy[verdict.evidence]}${overriddenBy(verdict)}.`;
  const blocked = verdict.outcome === "blocked";
  const left = verdict.findings.filter((one) => overridesOf(verdict, one).length === 0);
  const causes = causesOf(left, blocked ? "block" : "undetermined");
  const start = verdict.inputs.contract === null ? "Acceptance: not machine-checked" : checks;
  return `${start}, ${blocked ? "BLOCKED" : "UNDETERMINED"} by ${causes}.`;
}

/** The signed rows that open a finding; none for a finding that stands as it is. */
export function overridesOf(verdict: Verdict, { code, subject, severity }: Finding): readonly AppliedOverride[] {
  if (severity !== "block" && severity !== "undetermined") return [];
  return (verdict.overrides ?? []).filter((one) => one.code === code && one.subject === subject);
}

/** Who took which finding on, why, until when, and where it is kept. Foreign text: each reporter escapes it. */
export function overrideWords(one: AppliedOverride): string {
  const finding = [one.code, one.subject].filter((part) => part !== "").join(" ");
  const kept = `row ${one.row.slice("sha256:".length, "sha256:".length + 12)}, key ${one.key}`;
  return `${finding}: overridden by ${one.user} until ${one.expires_at.slice(0, 10)}: ${one.reason} (${kept})`;
}

/** `, with 1 finding overridden by ada@example.com (outside-scope)`; empty where none is. */
function overriddenBy({ overrides = [] }: Verdict): string {
  if (overrides.length === 0) return "";
  const short = (texts: readonly string[]): string => {
    const each = [...new Set(texts)];
    return each.length > 5 ? `${each.slice(0, 5).join(", ")}, ...` : each.join(", ");
  };
  const count = new Set(overrides.map(({ code, subject }) => `${code}\0${subject}`)).size;
  const users = short(overrides.map(({ user }) => user));
  const codes = short(overrides.map(({ code }) => code));
  return `, with ${count} finding${count === 1 ? "" : "s"} overridden by ${users} (${codes})`;
}

/** Who says so. Only a re-run by the executor may be called one. */
const passedBy: Record<Verdict["evidence"], string> = {
  "re-run": "(re-run by the executor, not reported by the model)",
  records: "(from the session's command records; nothing was re-run)",
};

/** `1 finding (canary-flipped)`; at most five codes, each once. */
function causesOf(findings: readonly Finding[], severity: Finding["severity"]): string {
  const causes = findings.filter((one) => one.severity === severity);
  const codes = [...new Set(causes.map((one) => one.code))];
  const shown = codes.length > 5 ? [...codes.slice(0, 5), "..."] : codes;
  const count = `${causes.length} finding${causes.length === 1 ? "" : "s"}`;
  return shown.length === 0 ? count : `${count} (${shown.join(", ")})`;
}

/** The claim that is shown. */
export function claimOf(report: Report): Claim | null {
  return report.claim === undefined ? report.facts.claim : report.claim;
}

/** What no report may leave out, whatever its outcome. */
export function notProven(report: Report): readonly string[] {
  return [reachOf(report), ...stillOwed];
}

function reachOf({ verdict, facts }: Report): string {
  if (verdict.evidence === "records")
    return "Nothing was run again: these are the records of commands that the session ran itself, on a machine whose user can write them.";
  const tests = facts.runs.some((run) => run.purpose === "head") || (facts.held_out ?? []).length > 0;
  return tests
    ? "Test code computes its own results inside its worker: the executor saw the tests run and pass, it cannot see that they test what they say."
    : "No test was run by the executor: nothing here says that the change works.";
}

const stillOwed: readonly string[] = [
  "Nothing here says how good the tests or the code are.",
  "Review is still owed: read the change before you merge it.",
];
