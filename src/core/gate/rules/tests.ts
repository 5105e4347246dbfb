import type { AcceptanceContract, TestsEntry } from "../../contract/index.ts";
import type { Facts } from "../../facts/index.ts";
import { assertionFindings } from "../assertions.ts";
import { baseFindings } from "../base-run.ts";
import { viewEntry, type EntryView } from "../entry-view.ts";
import { entryDetail, headCounts } from "../head-counts.ts";
import { headSignals } from "../head-signals.ts";
import { keptTests } from "../kept-tests.ts";
import { isPersons } from "../profile.ts";
import { endedQuarantine, quarantinedKeys } from "../quarantine.ts";
import { finding, type Rule, type RuleResult } from "../rule.ts";
import { runEvidence } from "../run-evidence.ts";
import type { CriterionResult, Finding } from "../verdict.ts";

/** `tests`, one criterion an entry: all signals of head and base agree, and the counts and identities are those promised. */
export const tests: Rule = ({ facts, contract }) => {
  if (contract === null || facts.subject.mode === "records") return { findings: [] };
  const judged = (contract.tests ?? []).map((entry, index) => judgeEntry(facts, contract, { entry, index }));
  const findings = [...judged.flatMap((one) => one.findings), ...endedQuarantine(facts)];
  return { criteria: judged.flatMap((one) => one.criteria ?? []), findings };
};

/** The part of the facts that an entry's own runs are judged by. */
export type JudgedRuns = Pick<Facts, "runs" | "base_again" | "change" | "trust_roots" | "quarantine" | "profile">;

/** Whether the runs of an entry over the whole trees pass by themselves: only then can further runs say more. */
export function entryStands(facts: JudgedRuns, contract: AcceptanceContract, index: number): boolean {
  const entry = contract.tests?.[index];
  if (entry === undefined) return false;
  return !judgeEntry(facts, contract, { entry, index }).findings.some(
    (one) => one.severity === "block" || one.severity === "undetermined",
  );
}

function judgeEntry(
  facts: JudgedRuns,
  contract: AcceptanceContract,
  at: { entry: TestsEntry; index: number },
): RuleResult {
  const { entry, index } = at;
  const runs = facts.runs.filter((run) => run.criterion === index);
  const heads = runs.filter((run) => run.purpose === "head");
  const bases = runs.filter((run) => run.purpose === "base");
  const again = (facts.base_again ?? []).filter((run) => run.criterion === index);
  const evidence = runs.flatMap((run) => runEvidence(run, entry.command, facts));
  const missing = (["head", "base"] as const).filter((purpose) => !runs.some((run) => run.purpose === purpose));
  const quarantined = quarantinedKeys(
    facts,
    [...heads, ...bases].flatMap((run) => run.cases),
  );
  const views = heads.flatMap((head) =>
    bases.map((base) =>
      viewEntry(contract, index, { entry, head, base, again, quarantined, persons: isPersons(facts) }),
    ),
  );
  const checked = views.map((view) => ({ view, findings: checkView(view) }));
  const unmeasured = missing.map((purpose) =>
    finding("undetermined", "test-not-run", { subject: `tests[${index}] ${purpose}`, detail: entry.command }),
  );
  const findings = [...evidence, ...unmeasured, ...checked.flatMap((one) => one.findings)];
  const shown = checked.find((one) => one.findings.some(isBlock)) ?? checked[0];
  return {
    criteria: [criterionOf({ ...at, findings, detail: shown === undefined ? null : entryDetail(shown.view) })],
    findings,
  };
}

/** Every check that puts head beside base; each pair of runs must pass all, so one more run can only take away. */
function checkView(view: EntryView): readonly Finding[] {
  return [headSignals, headCounts, keptTests, assertionFindings, baseFindings].flatMap((check) => check(view));
}

function criterionOf(at: {
  entry: TestsEntry;
  index: number;
  findings: readonly Finding[];
  detail: string | null;
}): CriterionResult {
  const undetermined = at.findings.some((one) => one.severity === "undetermined");
  const outcome = at.findings.some(isBlock) ? "failed" : undetermined ? "undetermined" : "passed";
  return {
    kind: "tests",
    subject: `tests[${at.index}]`,
    outcome,
    detail: at.detail ?? `${at.entry.command}: did not run`,
  };
}

function isBlock(one: Finding): boolean {
  return one.severity === "block";
}
