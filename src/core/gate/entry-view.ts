import type { AcceptanceContract, TestsEntry } from "../contract/index.ts";
import type { RunFacts, TestCase } from "../facts/index.ts";
import { byIdentity } from "./test-identity.ts";

/** One tests entry with one head run beside one base run: what the checks of the tests rule read. */
export interface EntryView {
  readonly index: number;
  readonly entry: TestsEntry;
  readonly head: RunFacts;
  readonly base: RunFacts;
  readonly headCases: ReadonlyMap<string, TestCase>;
  readonly baseCases: ReadonlyMap<string, TestCase>;
  readonly baseline: "green" | "no-worse";
  /**
   * Whether failures that base has too may stand: only under `no-worse`, only for an entry that demands no count, and only
   * when both processes ended by themselves with a code that is not 0.
   */
  readonly tolerant: boolean;
}

/** Puts one head run beside one base run. */
export function viewEntry(
  contract: AcceptanceContract,
  index: number,
  runs: { entry: TestsEntry; head: RunFacts; base: RunFacts },
): EntryView {
  const { entry, head, base } = runs;
  const baseline = contract.baseline ?? "no-worse";
  return {
    index,
    entry,
    head,
    base,
    headCases: byIdentity(head.cases),
    baseCases: byIdentity(base.cases),
    baseline,
    tolerant: baseline === "no-worse" && entry.passed === undefined && endedRed(head) && endedRed(base),
  };
}

/** The subject of a finding about a whole run: `tests[0] head`. */
export function runSubject(run: Pick<RunFacts, "criterion" | "purpose">): string {
  return `tests[${run.criterion}] ${run.purpose}`;
}

function endedRed(run: RunFacts): boolean {
  const { code, error, signal } = run.exit;
  return code !== null && code !== 0 && error === null && signal === null;
}
