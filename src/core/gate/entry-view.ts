import type { AcceptanceContract, TestsEntry } from "../contract/index.ts";
import type { RunFacts, TestCase } from "../facts/index.ts";
import { byIdentity, identityKey } from "./test-identity.ts";

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
  /** Tests that passed on base and did not when it ran again; empty unless `no-worse`. */
  readonly flaky: ReadonlySet<string>;
  /** Whether a person may change what tests expect: then it is shown, not stopped. */
  readonly persons: boolean;
  /** Tests whose failure base's policy puts up with; empty unless `no-worse`. */
  readonly quarantined: ReadonlySet<string>;
}

/** Puts one head run beside one base run, and base's further runs. */
export function viewEntry(
  contract: AcceptanceContract,
  index: number,
  runs: {
    readonly entry: TestsEntry;
    readonly head: RunFacts;
    readonly base: RunFacts;
    readonly again?: readonly RunFacts[];
    /** Keys of tests that base's policy puts up with. */
    readonly quarantined?: ReadonlySet<string>;
    readonly persons?: boolean;
  },
): EntryView {
  const { entry, head, base } = runs;
  const baseline = contract.baseline ?? "no-worse";
  const flaky = baseline === "no-worse" ? flakyOf(base, runs.again ?? []) : new Set<string>();
  const quarantined = baseline === "no-worse" ? (runs.quarantined ?? new Set<string>()) : new Set<string>();
  const mayStand = baseline === "no-worse" && entry.passed === undefined && endedRed(head);
  return {
    index,
    entry,
    head,
    base,
    headCases: byIdentity(head.cases),
    baseCases: byIdentity(base.cases),
    baseline,
    tolerant: mayStand && (endedRed(base) || flaky.size > 0 || quarantined.size > 0),
    flaky,
    quarantined,
    persons: runs.persons === true,
  };
}

/** What passed once on base and failed, or was not there, the other time. A further run that is not to be believed says nothing. */
function flakyOf(base: RunFacts, again: readonly RunFacts[]): ReadonlySet<string> {
  const passed = base.cases.filter((one) => one.state === "passed");
  return new Set(
    again
      .filter((run) => run.faults.length === 0 && run.exit.error === null)
      .flatMap((run) => {
        const cases = byIdentity(run.cases);
        const loaded = run.modules.filter((one) => one.errors.length === 0).map((one) => one.file);
        return passed
          .filter((one) => loaded.includes(one.file))
          .flatMap((one) => {
            const key = identityKey(one);
            const state = cases.get(key)?.state;
            return state === undefined || state === "failed" ? [key] : [];
          });
      }),
  );
}

/** The subject of a finding about a whole run: `tests[0] head`. */
export function runSubject(run: Pick<RunFacts, "criterion" | "purpose">): string {
  return `tests[${run.criterion}] ${run.purpose}`;
}

function endedRed(run: RunFacts): boolean {
  const { code, error, signal } = run.exit;
  return code !== null && code !== 0 && error === null && signal === null;
}
