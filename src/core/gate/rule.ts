import type { AcceptanceContract } from "../contract/index.ts";
import type { Digest } from "../digest.ts";
import type { Facts } from "../facts/index.ts";
import type { FindingCode } from "./finding-codes.ts";
import type { CriterionResult, Finding, Grade } from "./verdict.ts";

/** What only the base revision or the server decides. */
export interface GatePolicy {
  readonly minimum_grade: Grade;
  /** Turns every warning into a block. */
  readonly strict: boolean;
  /** Which failed records of an acceptance command block: those of the judged tree and its retries (default), or any. */
  readonly failed_records?: "retries" | "any";
}

/** Everything a verdict is made of. */
export interface GateInput {
  readonly facts: Facts;
  readonly contract: AcceptanceContract | null;
  /** The digest that was pinned before the change was made; null when there is no contract. */
  readonly contractDigest: Digest | null;
  readonly policy: GatePolicy;
}

/** What a rule reads: the input, with the facts in their one order, and the projects of the contract become its own entries. */
export interface RuleContext extends GateInput {
  /** The contract as it was pinned; null without one. */
  readonly declared?: AcceptanceContract | null;
  /** Roots of projects that the change leaves alone: their entries are not in the contract any more. */
  readonly unaffected?: readonly string[];
}

/** What a rule says. A failed criterion always comes with a blocking finding. */
export interface RuleResult {
  readonly criteria?: readonly CriterionResult[];
  readonly findings: readonly Finding[];
}

/** One rule of the gate: a pure function of the context. */
export type Rule = (context: RuleContext) => RuleResult;

/** Makes a finding whose code is one of the table. */
export function finding(
  severity: Finding["severity"],
  code: FindingCode,
  about: { subject: string; detail: string },
): Finding {
  return { code, severity, subject: about.subject, detail: about.detail };
}

/** A finding that blocks. */
export function block(code: FindingCode, subject: string, detail: string): Finding {
  return finding("block", code, { subject, detail });
}

/** At most ten items for a detail line; what is left out is counted. */
export function listed(items: readonly string[]): string {
  const shown = items.slice(0, 10).join(", ");
  return items.length > 10 ? `${shown} and ${items.length - 10} more` : shown;
}
