import type { PolicyFile } from "./policy-schema.ts";

/** A key of the policy that can be asked for, what it means, and what holds where nobody says it. */
export interface PolicyKey {
  readonly key: Exclude<keyof PolicyFile, "$schema" | "version">;
  readonly means: string;
  readonly otherwise: unknown;
}

/** Every key, in the order of the documentation. */
export const policyKeys: readonly PolicyKey[] = [
  {
    key: "minimum_grade",
    means: "the least grade of a pass",
    otherwise: "check C, deliver C (B without a person), ci B",
  },
  { key: "strict", means: "whether warnings block: true, false, or for which target branches", otherwise: false },
  {
    key: "failed_records",
    means: "which failed records of an acceptance command block",
    otherwise: "retries",
  },
  { key: "require_contract", means: "whether a change without a contract fails in CI", otherwise: false },
  { key: "require_presence", means: "whether overrides want a touch of a security key", otherwise: false },
  {
    key: "rules",
    means: "rules over the text of changed files, each with a severity and perhaps a last day",
    otherwise: [],
  },
  {
    key: "profiles",
    means: "whose pull requests are judged by which profile; everybody else as an agent",
    otherwise: [],
  },
  { key: "quarantine", means: "tests whose failure is put up with, each with a reason and a last day", otherwise: [] },
];

/** One key with its value and where that comes from. */
export interface ExplainedKey extends PolicyKey {
  readonly value: unknown;
  /** False where nobody says it. */
  readonly said: boolean;
}

/** What holds for each key under a policy file. */
export function explainPolicy(file: PolicyFile): readonly ExplainedKey[] {
  return policyKeys.map((one) => ({
    ...one,
    value: file[one.key] ?? one.otherwise,
    said: file[one.key] !== undefined,
  }));
}
