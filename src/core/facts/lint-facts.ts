import type { LintRuleName } from "../lint/lint-hit.ts";

/** Something in the changed code that a reviewer should look at: new on head, by the syntax tree. Never proof of anything. */
export interface LintFact {
  readonly rule: LintRuleName;
  /** Relative to the repository root. */
  readonly path: string;
  /** Line on head, from 1. */
  readonly line: number;
  /** The code in question on one line, at most 120 characters. */
  readonly text: string;
}
