import type { AcceptanceContract } from "../contract/index.ts";
import type { Claim, Facts } from "../facts/index.ts";
import { measureMovement } from "./measured-movement.ts";

/** One thing the agent said beside what was measured. */
export interface ClaimRow {
  readonly about: "tests added" | "tests passed" | "all tests pass";
  readonly claimed: string;
  /** `not measured` when no test was run by the executor. */
  readonly verified: string;
  readonly standing: "agrees" | "contradicted" | "not measured";
}

/** Puts each claim that can be read beside its measurement; for display and warnings only, never towards a pass. */
export function compareClaim(
  facts: Facts,
  contract: AcceptanceContract | null,
  claim: Claim | null,
): readonly ClaimRow[] {
  if (claim === null) return [];
  const measured = measureMovement(facts, contract);
  const row = (about: ClaimRow["about"], claimed: string, result: { verified: string; agrees: boolean }): ClaimRow =>
    measured.ran
      ? { about, claimed, verified: result.verified, standing: result.agrees ? "agrees" : "contradicted" }
      : { about, claimed, verified: "not measured", standing: "not measured" };
  const { tests_added: added, tests_passed: passed } = claim;
  const counts = [measured.passed, ...measured.passed_by_entry, sum(measured.passed_by_entry)];
  return [
    ...(added === null
      ? []
      : [
          row("tests added", String(added), {
            verified: String(measured.added.length),
            agrees: added === measured.added.length,
          }),
        ]),
    ...(passed === null
      ? []
      : [row("tests passed", String(passed), { verified: String(measured.passed), agrees: counts.includes(passed) })]),
    ...(claim.says_all_pass
      ? [row("all tests pass", "yes", { verified: measured.all_pass ? "yes" : "no", agrees: measured.all_pass })]
      : []),
  ];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
