import type { HeldOutEntry } from "../../contract/index.ts";
import type { Facts } from "../../facts/index.ts";
import { heldOutPasses, heldOutText } from "../held-out-run.ts";
import { block, finding, type Rule } from "../rule.ts";
import { staleFindings } from "../stale-run.ts";
import type { CriterionResult, Finding } from "../verdict.ts";

/** `held_out_tests`, one criterion an entry: the file that the agent never saw passes over the judged tree, exactly as often as promised. */
export const heldOut: Rule = ({ facts, contract }) => {
  const judged = (contract?.held_out_tests ?? []).map((entry, index) => judgeEntry(facts, entry, index));
  return { criteria: judged.map((one) => one.criterion), findings: judged.flatMap((one) => one.findings) };
};

function judgeEntry(
  facts: Facts,
  entry: HeldOutEntry,
  index: number,
): { readonly criterion: CriterionResult; readonly findings: readonly Finding[] } {
  const subject = `held_out_tests[${index}]`;
  const runs = (facts.held_out ?? []).filter((run) => run.criterion === index && run.purpose === "head");
  const ran = runs.filter((run) => run.tree !== null);
  const failed = ran.filter((run) => !heldOutPasses(run, entry.passed));
  const shown = failed[0] ?? ran[0] ?? runs[0];
  const detail = shown === undefined ? "did not run" : heldOutText(shown, entry.passed);
  const findings = [
    ...failed.map((run) => block("held-out-failed", subject, heldOutText(run, entry.passed))),
    ...ran.flatMap((run) => staleFindings({ purpose: "head", tree: run.over }, subject, facts)),
    ...(ran.length > 0 && ran.length === runs.length
      ? []
      : [finding("undetermined", "held-out-not-run", { subject, detail })]),
  ];
  const blocked = findings.some((one) => one.severity === "block");
  const outcome = blocked ? "failed" : findings.length > 0 ? "undetermined" : "passed";
  return { criterion: { kind: "held_out_tests", subject, outcome, detail }, findings };
}
