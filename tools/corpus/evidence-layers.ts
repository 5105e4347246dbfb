import type { FindingCode } from "../../src/core/gate/finding-codes.ts";

/** What only grade A looks at: the other side's sources, planted must-fail tests, tests that the agent never saw. */
export const codesBeyondB: ReadonlySet<string> = new Set<FindingCode>([
  "green-on-base",
  "expectation-changed",
  "direction-not-measured",
  "canary-flipped",
  "canary-not-run",
  "held-out-failed",
  "held-out-not-run",
  "mutation-survived",
]);

/** What a gate sees that knows the change's size and place, the exit code and the count, all of them truly measured. */
export const codesAtCounts: ReadonlySet<string> = new Set<FindingCode>([
  "outside-scope",
  "required-not-changed",
  "forbidden-path",
  "added-lines-over",
  "deleted-lines-over",
  "changed-files-over",
  "changed-bytes-over",
  "content-missing",
  "content-present",
  "no-change",
  "command-failed",
  "test-exit",
  "test-not-run",
  "passed-count",
  "added-count",
  "named-test",
]);
