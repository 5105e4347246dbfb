import { digestOf, type Digest } from "../../core/digest.ts";
import type { CommandFacts, RunFacts } from "../../core/facts/index.ts";
import type { Cache } from "../../ports/index.ts";
import { measureBaseTests, type AssertionDemand } from "./assertion-demand.ts";
import { isSettled, type MeasureRequest } from "./measure-tree.ts";

/** What the untouched base does under the contract's tests. */
export interface Baseline {
  readonly runs: readonly RunFacts[];
  readonly prepare: readonly CommandFacts[];
  /** Files that configure the runner, as the run itself reported them; relative to the repository root. */
  readonly roots: readonly string[];
  /** For each tests entry, what is asked of tests without assertions: no more than base can hold. */
  readonly demands: readonly AssertionDemand[];
}

interface EntryBaseline {
  readonly run: RunFacts | null;
  readonly prepare: readonly CommandFacts[];
  readonly roots: readonly string[];
  readonly demand: AssertionDemand;
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
    demands: entries.map((entry) => entry.demand),
  };
}

async function measureEntry(request: MeasureRequest, criterion: number): Promise<EntryBaseline> {
  const { result, prepare, demand } = await measureBaseTests(request, criterion);
  return { run: result?.facts ?? null, prepare, roots: result?.closure ?? [], demand };
}

function baselineKey(request: MeasureRequest, criterion: number, witness: Digest): Digest {
  return digestOf({
    version: 4,
    tree: request.base.tree,
    criterion,
    entry: request.contract.tests?.[criterion] ?? null,
    prepare: request.contract.prepare ?? [],
    services: request.contract.services ?? [],
    needs: request.contract.needs ?? [],
    dependencies: request.installed.facts.map((facts) => [facts.root, facts.key]),
    toolchain: request.toolchain.tools,
    witness,
  });
}
