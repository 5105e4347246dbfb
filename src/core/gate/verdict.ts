import type { Digest } from "../digest.ts";

/** One thing the gate found. Data only; reporters add the words. */
export interface Finding {
  readonly code: string;
  /** `undetermined`: something promised could not be measured. Fixed when the finding is made. */
  readonly severity: "block" | "undetermined" | "warn" | "info";
  /** The path, criterion or argument it is about; empty when it is about the whole. */
  readonly subject: string;
  /** Short, measured, no advice: `31 added (limit 30)`. */
  readonly detail: string;
}

/** One item of the contract and how it stands. The report's `n/m` counts these. */
export interface CriterionResult {
  readonly kind:
    | "changed_files_only"
    | "changed_files_required"
    | "changed_files_forbidden"
    | "max_added_lines"
    | "max_deleted_lines"
    | "max_changed_files"
    | "max_changed_bytes"
    | "file_contains"
    | "file_excludes"
    | "tests"
    | "commands"
    | "held_out_tests"
    | "generated"
    | "not_built";
  readonly subject: string;
  readonly outcome: "passed" | "failed" | "undetermined";
  readonly detail: string;
}

/** A signed row that opens one finding: who, why, which. The finding itself stays. */
export interface AppliedOverride {
  /** The finding's code and subject. */
  readonly code: string;
  readonly subject: string;
  readonly user: string;
  readonly reason: string;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  readonly expires_at: string;
  /** Digest of the row, which is its file's name. */
  readonly row: Digest;
  /** Fingerprint of the key that signed it. */
  readonly key: string;
}

export type Grade = "A" | "B" | "C" | "D";

/** The decision over facts and contract: same inputs, same bytes. */
export interface Verdict {
  readonly version: 1;
  readonly outcome: "passed" | "blocked" | "undetermined" | "unchecked";
  readonly criteria: readonly CriterionResult[];
  /** Sorted by severity, code, subject, detail. */
  readonly findings: readonly Finding[];
  /** Sorted by code, subject, row; absent where no override opened anything. */
  readonly overrides?: readonly AppliedOverride[];
  readonly grade: { readonly value: Grade; readonly costs: readonly string[] };
  readonly inputs: { readonly facts: Digest; readonly contract: Digest | null };
  readonly base_commit: string;
  readonly tree: string;
  readonly change_digest: Digest;
  /** `re-run`: the executor ran the acceptance set itself; `records`: only what the session recorded was read. */
  readonly evidence: "re-run" | "records";
  readonly policy: {
    readonly minimum_grade: Grade;
    readonly strict: boolean;
    readonly failed_records: "retries" | "any";
  };
}
