import { matchesAny } from "../../contract/index.ts";
import type { ChangeEntry } from "../../facts/index.ts";
import type { FindingCode } from "../finding-codes.ts";
import { isOverrideRow } from "../override-rows.ts";
import { block, type Rule } from "../rule.ts";
import type { CriterionResult } from "../verdict.ts";

interface Cap {
  readonly kind: "max_added_lines" | "max_deleted_lines" | "max_changed_files" | "max_changed_bytes";
  readonly code: FindingCode;
  readonly unit: string;
  readonly measured: number;
}

/** The four caps, inclusive. True binaries, `uncounted` and `generated` paths count in files and bytes, never in lines. */
export const caps: Rule = ({ facts, contract }) => {
  if (contract === null) return { findings: [] };
  const entries = facts.change.entries.filter((entry) => !isOverrideRow(entry));
  const uncounted = [...(contract.uncounted ?? []), ...(contract.generated ?? []).flatMap((one) => one.paths)];
  const counted = entries.filter((entry) => !entry.true_binary && !matchesAny(uncounted, entry.path));
  const all: readonly Cap[] = [
    { kind: "max_added_lines", code: "added-lines-over", unit: "added", measured: sum(counted, "added_lines") },
    { kind: "max_deleted_lines", code: "deleted-lines-over", unit: "deleted", measured: sum(counted, "deleted_lines") },
    { kind: "max_changed_files", code: "changed-files-over", unit: "changed files", measured: entries.length },
    { kind: "max_changed_bytes", code: "changed-bytes-over", unit: "changed bytes", measured: sum(entries, "bytes") },
  ];
  const judged = all.flatMap((cap) => {
    const limit = contract[cap.kind];
    return limit === undefined ? [] : [{ cap, criterion: judgeCap(cap, limit) }];
  });
  return {
    criteria: judged.map(({ criterion }) => criterion),
    findings: judged
      .filter(({ criterion }) => criterion.outcome !== "passed")
      .map(({ cap, criterion }) => block(cap.code, cap.kind, criterion.detail)),
  };
};

function judgeCap(cap: Cap, limit: number): CriterionResult {
  // A count that is no count (NaN compares false with everything) must fail, never pass.
  const within = Number.isSafeInteger(cap.measured) && cap.measured >= 0 && cap.measured <= limit;
  const detail = `${cap.measured} ${cap.unit} (limit ${limit})`;
  return { kind: cap.kind, subject: "", outcome: within ? "passed" : "failed", detail };
}

function sum(entries: readonly ChangeEntry[], field: "added_lines" | "deleted_lines" | "bytes"): number {
  // One negative or fractional number would hide others in a plain sum.
  return entries.reduce(
    (total, entry) => total + (Number.isSafeInteger(entry[field]) && entry[field] >= 0 ? entry[field] : Number.NaN),
    0,
  );
}
