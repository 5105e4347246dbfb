import { canonicalJson, compareText } from "../digest.ts";
import { decideOverrides } from "../override/index.ts";
import { digestOfFacts } from "./digest-of-facts.ts";
import { expandProjects } from "../contract/index.ts";
import { gradeOf } from "./grade.ts";
import { orderFacts } from "./order-facts.ts";
import { openFindings, type Opened } from "./open-findings.ts";
import type { GateInput, RuleContext, RuleResult } from "./rule.ts";
import { rules } from "./rules/index.ts";
import type { Finding, Verdict } from "./verdict.ts";

/** Decides over facts and contract. Pure: the same inputs, in any order of their lists, give the same bytes. */
export function evaluate(input: GateInput): Verdict {
  const context = contextOf(input);
  const { facts, contract, contractDigest, policy } = context;
  const results = rules.map((rule) => strengthenedBy(policy.strict, rule(context)));
  const criteria = results.flatMap((result) => result.criteria ?? []);
  const opened = openFindings(results, decideOverrides(facts.overrides, contractDigest).valid);
  const findings = sortFindings([...results.flatMap((result) => result.findings), ...opened.unused]);
  return {
    version: 1,
    outcome: outcomeOf(opened, { contracted: contract !== null }),
    criteria,
    findings,
    ...(opened.applied.length === 0 ? {} : { overrides: opened.applied }),
    grade: gradeOf(context),
    inputs: { facts: digestOfFacts(facts), contract: contractDigest },
    base_commit: facts.change.base_commit,
    tree: facts.change.tree,
    change_digest: facts.change.change_digest,
    evidence: facts.subject.mode === "records" ? "records" : "re-run",
    policy: {
      minimum_grade: policy.minimum_grade,
      strict: policy.strict,
      failed_records: policy.failed_records ?? "retries",
    },
  };
}

/** Of a session's records every project is asked: they were matched before the change was known. */
function contextOf(input: GateInput): RuleContext {
  const facts = orderFacts(input.facts);
  if (input.contract === null) return { ...input, facts };
  const changed = facts.subject.mode === "records" ? null : facts.change.entries.map((entry) => entry.path);
  return { ...input, facts, declared: input.contract, ...expandProjects(input.contract, changed) };
}

/** Unknown, empty and failed are each enough to not pass, whichever rule forgot to say so, unless a person signed for it. */
function outcomeOf(opened: Opened, { contracted }: { readonly contracted: boolean }): Verdict["outcome"] {
  const { criteria, findings } = opened.left;
  const has = (severity: Finding["severity"]): boolean => findings.some((one) => one.severity === severity);
  if (has("block") || criteria.some((one) => one.outcome === "failed")) return "blocked";
  if (has("undetermined") || criteria.some((one) => one.outcome !== "passed")) return "undetermined";
  if (!contracted) return "unchecked";
  const nothing = opened.criteria === 0 && opened.applied.every(({ code }) => code !== "nothing-to-check");
  return nothing ? "blocked" : "passed";
}

function strengthenedBy(strict: boolean, result: RuleResult): RuleResult {
  return strict ? { ...result, findings: result.findings.map(strengthened) } : result;
}

function strengthened(one: Finding): Finding {
  return one.severity === "warn" ? { ...one, severity: "block" } : one;
}

const severities: readonly Finding["severity"][] = ["block", "undetermined", "warn", "info"];

/** By severity, code, subject, detail; the same finding twice is one. */
function sortFindings(findings: readonly Finding[]): readonly Finding[] {
  const distinct = [...new Map(findings.map((one) => [canonicalJson(one), one])).values()];
  return distinct.sort(
    (a, b) =>
      severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
      compareText(a.code, b.code) ||
      compareText(a.subject, b.subject) ||
      compareText(a.detail, b.detail),
  );
}
