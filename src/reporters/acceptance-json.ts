import { canonicalJson } from "../core/digest.ts";
import { countChecks, headline, type Report } from "./report.ts";

/** `acceptance.json`: canonical JSON rendered from the verdict, which stays the source. Ends with a line break. */
export function renderAcceptanceJson(report: Pick<Report, "verdict">): string {
  const { verdict } = report;
  const { passed, total } = countChecks(verdict);
  const acceptance = {
    version: 1,
    headline: headline(verdict),
    /** True only over a verdict `passed`: a block beside passed checks is not one. */
    passed: verdict.outcome === "passed",
    outcome: verdict.outcome,
    checks_passed: passed,
    checks_total: total,
    checks: verdict.criteria,
    findings: verdict.findings,
    ...(verdict.overrides === undefined ? {} : { overrides: verdict.overrides }),
    grade: verdict.grade,
    policy: verdict.policy,
    inputs: verdict.inputs,
    base_commit: verdict.base_commit,
    tree: verdict.tree,
    change_digest: verdict.change_digest,
  };
  return `${canonicalJson(acceptance)}\n`;
}
