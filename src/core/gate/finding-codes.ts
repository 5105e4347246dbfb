import { lintRuleNames, type LintRuleName } from "../lint/lint-hit.ts";
import type { EvidenceFault, HazardKind } from "../facts/index.ts";
import { overrideRefusals, type OverrideRefusal } from "../override/index.ts";

/** Codes of the rules, without the two families below. A code is stable: overrides and reports name it. */
export const ruleCodes = [
  "outside-scope",
  "required-not-changed",
  "forbidden-path",
  "soft-path",
  "added-lines-over",
  "deleted-lines-over",
  "changed-files-over",
  "changed-bytes-over",
  "content-missing",
  "content-present",
  "content-not-read",
  "protected-path",
  "trust-root-changed",
  "no-change",
  "nothing-to-check",
  "contract-changed",
  "contract-vacuous",
  "contract-ambiguous",
  "contract-untrusted",
  "contract-spent",
  "contract-unpinned",
  "contract-unreadable",
  "gate-not-first",
  "not-built",
  "not-measured",
  "prepare-failed",
  "prepare-not-run",
  "service-not-ready",
  "project-not-affected",
  "command-failed",
  "command-not-run",
  "null-exit",
  "stale-record",
  "log-broken",
  "log-unanchored",
  "hook-never-fired",
  "rule-broken",
  "rule-not-looked",
  "rule-ended",
  "count-not-measured",
  "stale-run",
  "run-unasked",
  "test-not-run",
  "test-exit",
  "tree-written",
  "run-not-passed",
  "no-tests-ran",
  "module-failed",
  "module-empty",
  "unhandled-error",
  "test-not-plainly-passed",
  "passed-count",
  "added-count",
  "named-test",
  "mutation-survived",
  "mutations-left",
  "held-out-failed",
  "held-out-not-run",
  "generated-differs",
  "generated-not-run",
  "test-removed",
  "expectation-changed",
  "green-on-base",
  "no-new-test",
  "direction-not-measured",
  "flaky-on-base",
  "quarantined",
  "quarantine-ended",
  "canary-flipped",
  "canary-not-run",
  "test-regressed",
  "assertions-lost",
  "test-without-assertion",
  "failing-on-base",
  "base-not-green",
  "base-without-tests",
  "claim-contradicted",
  "claim-not-measured",
  "agent-protocol-fault",
  "agent-stopped-early",
  "grade-too-low",
  "override-unused",
] as const;

/** Every fault that the evidence of a run can have, as it is stored. */
export const faultCodes = [
  "witness-absent",
  "frame-broken",
  "frame-sequence",
  "frame-mac",
  "frame-after-end",
  "end-missing",
  "end-twice",
  "lists-differ",
  "counts-differ",
  "second-witness-differs",
  "second-witness-unreadable",
  "isolation-not-seen",
  "exit-differs",
] as const satisfies readonly EvidenceFault["code"][];

/** Every fault of a run's evidence blocks under its own code. */
const evidenceFaults = [...faultCodes, "identity-twice"] as const;

/** Every hazard of a changed entry blocks under its own code. */
export const hazardKinds = [
  "submodule",
  "git-like-name",
  "nested-repository",
  "device-or-socket",
  "symlink-outside",
  "name-collision",
  "control-character",
  "invalid-utf8",
  "mode-changed",
] as const satisfies readonly HazardKind[];

/** Every code a rule can produce. */
export type FindingCode =
  | (typeof ruleCodes)[number]
  | `evidence-${EvidenceFault["code"] | "identity-twice"}`
  | `hazard-${HazardKind}`
  | `lint-${LintRuleName}`
  | OverrideRefusal;

/** All of them, for tables that must be complete. */
export const findingCodes: readonly FindingCode[] = [
  ...ruleCodes,
  ...evidenceFaults.map((code) => `evidence-${code}` as const),
  ...hazardKinds.map((kind) => `hazard-${kind}` as const),
  ...lintRuleNames.map((rule) => `lint-${rule}` as const),
  ...overrideRefusals,
];
