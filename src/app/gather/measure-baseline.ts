import { digestOf, type Digest } from "../../core/digest.ts";
import type { CommandFacts, RunFacts } from "../../core/facts/index.ts";
import type { Cache } from "../../ports/index.ts";
import { isSettled, measureTests, type MeasureRequest } from "./measure-tree.ts";

/** What the untouched base does under the contract's tests. */
export interface Baseline {
  readonly runs: readonly RunFacts[];
  readonly prepare: readonly CommandFacts[];
  /** Files that configure the runner, as the run itself reported them; relative to the repository root. */
  readonly roots: readonly string[];
  /** For each tests entry, whether a test without assertions fails: only where base is no worse for it. */
  readonly assertionsRequired: readonly boolean[];
}

interface EntryBaseline {
  readonly run: RunFacts | null;
  readonly prepare: readonly CommandFacts[];
  readonly roots: readonly string[];
  readonly assertionsRequired: boolean;
}

/** Measures base, entry by entry; a settled result is cached by everything that could change it. */
export async function measureBaseline(request: MeasureRequest, cache: Cache, witness: Digest): Promise<Baseline> {
  const entries: EntryBaseline[] = [];
  for (const criterion of (request.contract.tests ?? []).keys()) {
    const key = baselineKey(request, criterion, witness);
    const kept = (await cache.read("baselines", key)) as EntryBaseline | null;
    const measured = kept ?? (await measureEntry(request, criterion));
    if (kept === null && measured.run !== null && isSettled(measured.run))
      await cache.write("baselines", key, measured);
    entries.push(measured);
  }
  return {
    runs: entries.flatMap((entry) => (entry.run === null ? [] : [entry.run])),
    prepare: entries[0]?.prepare ?? [],
    roots: [...new Set(entries.flatMap((entry) => entry.roots))].sort(),
    assertionsRequired: entries.map((entry) => entry.assertionsRequired),
  };
}

/** First with assertions required; where base passes fewer tests so (another assertion library), without. */
async function measureEntry(request: MeasureRequest, criterion: number): Promise<EntryBaseline> {
  const strict = await measureTests(request, criterion, true);
  const strictRun = strict.result?.facts ?? null;
  const kept = (measured: typeof strict, assertionsRequired: boolean): EntryBaseline => ({
    run: measured.result?.facts ?? null,
    prepare: measured.prepare,
    roots: measured.result?.closure ?? [],
    assertionsRequired,
  });
  if (strictRun === null || (strictRun.exit.code === 0 && isSettled(strictRun))) return kept(strict, true);
  const lenient = await measureTests(request, criterion, false);
  const gains = lenient.result !== null && passes(lenient.result.facts) > passes(strictRun);
  return gains ? kept(lenient, false) : kept(strict, true);
}

function passes(run: RunFacts): number {
  return run.cases.filter((one) => one.state === "passed").length;
}

function baselineKey(request: MeasureRequest, criterion: number, witness: Digest): Digest {
  return digestOf({
    version: 1,
    tree: request.base.tree,
    criterion,
    entry: request.contract.tests?.[criterion] ?? null,
    prepare: request.contract.prepare ?? [],
    dependencies: request.installed.facts.map((facts) => [facts.root, facts.key]),
    toolchain: request.toolchain.tools,
    witness,
  });
}
