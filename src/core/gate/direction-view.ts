import { matchesAny, type AcceptanceContract, type TestsEntry } from "../contract/index.ts";
import type { DirectionFacts, Facts, RunFacts, TestCase, TestIdentity } from "../facts/index.ts";
import { byIdentity, identityKey, isNamed } from "./test-identity.ts";

/** One tests entry with both whole runs and the runs of its changed tests over the other side. */
export interface DirectionView {
  readonly index: number;
  readonly entry: TestsEntry;
  readonly head: RunFacts;
  readonly base: RunFacts;
  readonly direction: DirectionFacts;
  /** Tests that pass on head and are not on base at all. */
  readonly added: readonly TestCase[];
}

/** The entries whose direction was looked at, in the order of the contract. */
export function directionViews(facts: Facts, contract: AcceptanceContract): readonly DirectionView[] {
  return (contract.tests ?? []).flatMap((entry, index) => {
    const direction = facts.direction?.find((one) => one.criterion === index);
    const head = facts.runs.find((run) => run.criterion === index && run.purpose === "head");
    const base = facts.runs.find((run) => run.criterion === index && run.purpose === "base");
    if (direction === undefined || head === undefined || base === undefined) return [];
    const known = byIdentity(base.cases);
    const added = head.cases.filter((one) => one.state === "passed" && !known.has(identityKey(one)));
    return [{ index, entry, head, base, direction, added }];
  });
}

/** How a new test fares over base's sources. Any red counts: a failed assertion, a thrown error, a file that does not load. */
export type RedOnBase = "by-assertion" | "otherwise" | "green";

/** Looks a test up in the run over base's sources; one that was never reached is red only if its file or the run broke. */
export function redOnBase(one: TestIdentity, run: RunFacts): RedOnBase {
  const found = byIdentity(run.cases).get(identityKey(one));
  if (found !== undefined) {
    if (found.state !== "failed") return "green";
    return found.errors.some((error) => error.startsWith("AssertionError")) ? "by-assertion" : "otherwise";
  }
  const module = run.modules.find((each) => each.file === one.file && each.project === one.project);
  const broken = run.exit.error !== null || run.faults.length > 0 || run.unhandled.length > 0;
  return module?.state === "failed" || (module === undefined && run.exit.code !== 0) || broken ? "otherwise" : "green";
}

/** New tests of which at least one must be red on base; empty where nothing asks for it. */
export function askedToBeRed(view: DirectionView, contract: AcceptanceContract): readonly TestCase[] {
  const mode = view.entry.red_on_base ?? "auto";
  if (mode === "none") return [];
  if (mode !== "auto") return view.added;
  if ((contract.intent ?? "behaviour") !== "behaviour") return [];
  const reaching = new Set(view.direction.head_files.filter((one) => one.reaches.length > 0).map((one) => one.file));
  return view.added.some((one) => reaching.has(one.file)) ? view.added : [];
}

/** `may_update` names tests, files, globs of files, or snapshot files of a test file. */
export function mayUpdate({ entry }: DirectionView, one: TestIdentity): boolean {
  const slash = one.file.lastIndexOf("/") + 1;
  const snapshot = `${one.file.slice(0, slash)}__snapshots__/${one.file.slice(slash)}.snap`;
  return (entry.may_update ?? []).some(
    (item) => isNamed(one, item) || matchesAny([item], one.file) || matchesAny([item], snapshot),
  );
}
