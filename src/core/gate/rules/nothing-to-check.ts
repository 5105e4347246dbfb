import { block, type Rule } from "../rule.ts";

const criterionKeys = [
  "changed_files_only",
  "changed_files_within",
  "changed_files_required",
  "changed_files_forbidden",
  "max_added_lines",
  "max_deleted_lines",
  "max_changed_files",
  "max_changed_bytes",
  "file_contains",
  "file_excludes",
  "tests",
  "commands",
  "held_out_tests",
  "generated",
  "coverage",
] as const;

/** A contract that asks for nothing, or for an empty list of something, is met by everything: it blocks. */
export const nothingToCheck: Rule = ({ contract }) => {
  if (contract === null) return { findings: [] };
  const present = criterionKeys.filter((key) => contract[key] !== undefined);
  const empty = present.filter((key) => {
    const value: unknown = contract[key];
    return Array.isArray(value) && value.length === 0;
  });
  if (present.length === 0) return { findings: [block("nothing-to-check", "", "the contract has no criterion")] };
  return { findings: empty.map((key) => block("nothing-to-check", key, "an empty list")) };
};
