import type { AcceptanceContract } from "../contract/index.ts";
import type { Facts, RunFacts, TestCase } from "../facts/index.ts";
import { identityKey, identityText, passedCount } from "./test-identity.ts";

/** What the runs say of the tests as a whole: what a claim is put beside. */
export interface MeasuredMovement {
  /** Whether any head run was made. */
  readonly ran: boolean;
  /** Identities that pass on head and are not on base at all. */
  readonly added: readonly string[];
  /** How many passed on base and pass on head. */
  readonly kept: number;
  /** Passed on base and do not pass on head. */
  readonly lost: readonly string[];
  /** Distinct identities that pass on head. */
  readonly passed: number;
  /** Plainly passed cases of each head run, in the order of the contract. */
  readonly passed_by_entry: readonly number[];
  /** Whether every head run ended with exit 0 and no test but plain passes, skips, todos, and failures expected on base too. */
  readonly all_pass: boolean;
}

/** Compares head and base identities over all runs; an identity counts once, however many entries ran it. */
export function measureMovement(facts: Facts, contract: AcceptanceContract | null): MeasuredMovement {
  const heads = facts.runs.filter((run) => run.purpose === "head");
  const bases = facts.runs.filter((run) => run.purpose === "base");
  const head = passedOf(heads);
  const base = passedOf(bases);
  const known = new Set(bases.flatMap((run) => run.cases.map(identityKey)));
  const entries = [...(contract?.tests ?? []).keys()];
  return {
    ran: heads.length > 0,
    added: texts(head, (key) => !known.has(key)),
    kept: [...base.keys()].filter((key) => head.has(key)).length,
    lost: texts(base, (key) => !head.has(key)),
    passed: head.size,
    passed_by_entry: entries.flatMap((index) =>
      heads.filter((run) => run.criterion === index).map((run) => passedCount(run.cases)),
    ),
    all_pass: heads.length > 0 && heads.every((run) => isAllPass(run, expectedFailures(bases))),
  };
}

/** Identities that pass in every run that holds them. */
function passedOf(runs: readonly RunFacts[]): ReadonlyMap<string, TestCase> {
  const all = runs.flatMap((run) => run.cases);
  const notPassed = new Set(all.filter((one) => one.state !== "passed").map(identityKey));
  return new Map(all.map((one) => [identityKey(one), one] as const).filter(([key]) => !notPassed.has(key)));
}

function texts(cases: ReadonlyMap<string, TestCase>, keep: (key: string) => boolean): readonly string[] {
  return [...cases].flatMap(([key, one]) => (keep(key) ? [identityText(one)] : [])).sort();
}

/** Tests that the repository itself declares to fail, before the change. */
function expectedFailures(bases: readonly RunFacts[]): ReadonlySet<string> {
  const cases = bases.flatMap((run) => run.cases);
  return new Set(cases.filter((one) => one.state === "expected-failure").map(identityKey));
}

function isAllPass(run: RunFacts, expected: ReadonlySet<string>): boolean {
  const cases = run.cases.every(
    (one) =>
      one.state === "passed" ||
      one.state === "skipped" ||
      one.state === "todo" ||
      (one.state === "expected-failure" && expected.has(identityKey(one))),
  );
  return run.exit.code === 0 && run.exit.error === null && run.faults.length === 0 && run.cases.length > 0 && cases;
}
