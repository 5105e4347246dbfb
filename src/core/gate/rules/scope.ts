import { matchesAny, type AcceptanceContract } from "../../contract/index.ts";
import { isOverrideRow } from "../override-rows.ts";
import { block, finding, listed, type Rule, type RuleResult } from "../rule.ts";
import type { CriterionResult } from "../verdict.ts";

/** `changed_files_only` with `changed_files_within`, `changed_files_required` (one criterion a path) and `changed_files_forbidden`. */
export const scope: Rule = ({ facts, contract }) => {
  if (contract === null) return { findings: [] };
  const paths = facts.change.entries.filter((entry) => !isOverrideRow(entry)).map((entry) => entry.path);
  const parts = [only(contract, paths), required(contract, paths), forbidden(contract, paths)];
  return { criteria: parts.flatMap((part) => part.criteria ?? []), findings: parts.flatMap((part) => part.findings) };
};

function only(contract: AcceptanceContract, paths: readonly string[]): RuleResult {
  const { changed_files_only: first, changed_files_within: further = [] } = contract;
  const lists = [...(first === undefined ? [] : [first]), ...further];
  if (lists.length === 0) return { findings: [] };
  const outside = paths.filter((path) => !lists.every((allowed) => matchesAny(allowed, path)));
  const soft = outside.filter((path) => matchesAny(contract.soft_paths ?? [], path));
  const hard = outside.filter((path) => !soft.includes(path));
  const changed = paths.length === 0 ? "nothing" : listed(paths);
  const detail = hard.length === 0 ? `changed: ${changed}` : `outside: ${listed(hard)}`;
  return {
    criteria: [criterion("changed_files_only", "", { passed: hard.length === 0, detail })],
    findings: [
      ...hard.map((path) => block("outside-scope", path, outsideOf(first, path))),
      ...soft.map((path) => finding("info", "soft-path", { subject: path, detail: "outside the scope, a soft path" })),
    ],
  };
}

/** Which of the lists has no place for a path: the task's own, or one that holds beside it. */
function outsideOf(first: readonly string[] | undefined, path: string): string {
  const own = first !== undefined && !matchesAny(first, path);
  return own
    ? "no pattern of changed_files_only matches"
    : "a list of changed_files_within has no pattern that matches";
}

function required(contract: AcceptanceContract, paths: readonly string[]): RuleResult {
  const wanted = contract.changed_files_required ?? [];
  const missing = wanted.filter((path) => !paths.includes(path));
  return {
    criteria: wanted.map((path) => {
      const passed = paths.includes(path);
      return criterion("changed_files_required", path, {
        passed,
        detail: `${path} ${passed ? "changed" : "not changed"}`,
      });
    }),
    findings: missing.map((path) => block("required-not-changed", path, "not among the changed files")),
  };
}

function forbidden(contract: AcceptanceContract, paths: readonly string[]): RuleResult {
  const shut = contract.changed_files_forbidden;
  if (shut === undefined) return { findings: [] };
  const hits = paths.filter((path) => matchesAny(shut, path));
  const detail = hits.length === 0 ? "none changed" : `changed: ${listed(hits)}`;
  return {
    criteria: [criterion("changed_files_forbidden", "", { passed: hits.length === 0, detail })],
    findings: hits.map((path) => block("forbidden-path", path, "a pattern of changed_files_forbidden matches")),
  };
}

function criterion(
  kind: CriterionResult["kind"],
  subject: string,
  result: { passed: boolean; detail: string },
): CriterionResult {
  return { kind, subject, outcome: result.passed ? "passed" : "failed", detail: result.detail };
}
