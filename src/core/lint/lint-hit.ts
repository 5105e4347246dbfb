/** What the lint of a change can say; a code is stable. Every one is a hint for the reviewer, never proof of anything. */
export const lintRuleNames = [
  "test-skipped",
  "test-focused",
  "test-inverted",
  "test-retried",
  "test-empty",
  "test-asserts-nothing",
  "assertion-tautology",
  "assertion-swallowed",
  "unit-mocked",
  "matcher-replaced",
  "result-rewritten",
  "process-ended",
  "runner-sniffed",
  "answer-by-heart",
  "check-silenced",
  "type-escaped",
  "not-looked",
] as const;

export type LintRuleName = (typeof lintRuleNames)[number];

/** One place in one version of one file. */
export interface LintHit {
  readonly rule: LintRuleName;
  /** From 1. */
  readonly line: number;
  /** The code in question on one line, at most 120 characters. */
  readonly text: string;
}

/** What a rule may know beside the tree. */
export interface LintContext {
  /** Relative to the repository root. */
  readonly path: string;
  readonly isTest: boolean;
  /** Every changed path that is no test. */
  readonly changedSources: readonly string[];
  /** String literals of the changed tests; code that compares with one of them may know the exam. */
  readonly testTexts: ReadonlySet<string>;
}
