import { compareText } from "../digest.ts";
import { isOverridable, type ValidOverride } from "../override/index.ts";
import { finding, type RuleResult } from "./rule.ts";
import type { AppliedOverride, CriterionResult, Finding } from "./verdict.ts";

/** What the rules said, with what a person signed for set apart. No finding is lost. */
export interface Opened {
  readonly applied: readonly AppliedOverride[];
  /** Rows that hold and name nothing that decides. */
  readonly unused: readonly Finding[];
  /** What still decides. */
  readonly left: { readonly criteria: readonly CriterionResult[]; readonly findings: readonly Finding[] };
  /** How many criteria there are in all. */
  readonly criteria: number;
}

/** Applies valid rows: each opens the deciding findings of its code and subject, and nothing else. */
export function openFindings(results: readonly RuleResult[], valid: readonly ValidOverride[]): Opened {
  const findings = results.flatMap((result) => result.findings);
  const used = valid.filter((one) => findings.some((each) => decides(each) && opens(one, each)));
  return {
    applied: used.map(applied).toSorted((a, b) => compareText(orderOf(a), orderOf(b))),
    unused: valid.filter((one) => !used.includes(one)).map(unused),
    left: {
      findings: findings.filter((one) => !used.some((each) => opens(each, one))),
      criteria: results.flatMap((result) => criteriaLeft(result, used)),
    },
    criteria: results.reduce((sum, result) => sum + (result.criteria ?? []).length, 0),
  };
}

function decides({ severity }: Finding): boolean {
  return severity === "block" || severity === "undetermined";
}

function opens({ row }: ValidOverride, { code, subject }: Finding): boolean {
  return isOverridable(code) && row.finding.code === code && row.finding.subject === subject;
}

/**
 * A failed criterion comes with findings of its own rule. It is opened when a row opens one of them and none of them is
 * left; one that no finding speaks for stays.
 */
function criteriaLeft(
  { criteria = [], findings }: RuleResult,
  used: readonly ValidOverride[],
): readonly CriterionResult[] {
  const deciding = findings.filter(decides);
  const open = deciding.length > 0 && deciding.every((one) => used.some((each) => opens(each, one)));
  const failed = criteria.filter((one) => one.outcome !== "passed");
  return open && failed.length <= deciding.length ? criteria.filter((one) => !failed.includes(one)) : criteria;
}

function applied({ row, digest, key }: ValidOverride): AppliedOverride {
  const { finding: named, user, reason, created_at, expires_at } = row;
  return { code: named.code, subject: named.subject, user, reason, created_at, expires_at, row: digest, key };
}

function orderOf({ code, subject, row }: AppliedOverride): string {
  return [code, subject, row].join("\0");
}

function unused({ row, digest }: ValidOverride): Finding {
  const named = [row.finding.code, row.finding.subject].filter((part) => part !== "").join(" ");
  return finding("info", "override-unused", {
    subject: digest,
    detail: `${row.user} overrides ${named}, which does not block here`,
  });
}
