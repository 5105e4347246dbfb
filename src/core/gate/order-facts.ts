import { canonicalJson, compareText } from "../digest.ts";
import type { CanaryFacts, DirectionFacts, Facts, RunFacts } from "../facts/index.ts";
import type { CommandRecord } from "../record/index.ts";
import { byStart } from "./judged-records.ts";

/** The facts with every list whose order says nothing put into one order, so that a verdict does not depend on it. */
export function orderFacts(facts: Facts): Facts {
  const { change } = facts;
  return {
    ...facts,
    change: {
      ...change,
      entries: ordered(change.entries),
      hazards: ordered(change.hazards),
      contents: ordered(change.contents),
      protected_changes: ordered(change.protected_changes),
      undetermined: ordered(change.undetermined),
    },
    runs: ordered(facts.runs.map(orderRun)),
    commands: ordered(facts.commands),
    ...(facts.base_again === undefined ? {} : { base_again: ordered(facts.base_again.map(orderRun)) }),
    ...(facts.direction === undefined ? {} : { direction: ordered(facts.direction.map(orderDirection)) }),
    ...(facts.canary === undefined ? {} : { canary: ordered(facts.canary.map(orderCanary)) }),
    ...(facts.held_out === undefined ? {} : { held_out: ordered(facts.held_out) }),
    ...(facts.generated === undefined
      ? {}
      : { generated: ordered(facts.generated.map((one) => ({ ...one, differing: ordered(one.differing) }))) }),
    ...(facts.mutations === undefined
      ? {}
      : { mutations: { ...facts.mutations, tried: ordered(facts.mutations.tried) } }),
    ...(facts.request === undefined
      ? {}
      : {
          request: {
            ...facts.request,
            issues: ordered(facts.request.issues),
            ran_before: ordered(facts.request.ran_before),
          },
        }),
    ...(facts.lint === undefined ? {} : { lint: ordered(facts.lint) }),
    ...(facts.overrides === undefined
      ? {}
      : { overrides: { ...facts.overrides, rows: ordered(facts.overrides.rows) } }),
    ...orderPolicy(facts),
    records:
      facts.records === null
        ? null
        : {
            ...facts.records,
            ...(facts.records.hooks === undefined ? {} : { hooks: ordered(facts.records.hooks) }),
            log: {
              ...facts.records.log,
              records: orderedByStart(facts.records.log.records),
              faults: ordered(facts.records.log.faults),
            },
          },
    trust_roots: { changed: ordered(facts.trust_roots.changed), closure: ordered(facts.trust_roots.closure) },
    dependencies: ordered(facts.dependencies),
    toolchain: ordered(facts.toolchain),
    undetermined: ordered(facts.undetermined),
  };
}

function orderDirection(one: DirectionFacts): DirectionFacts {
  return {
    ...one,
    sources: ordered(one.sources),
    head_files: ordered(one.head_files),
    base_files: ordered(one.base_files),
    head_on_base: one.head_on_base === null ? null : orderRun(one.head_on_base),
    base_on_head: one.base_on_head === null ? null : orderRun(one.base_on_head),
  };
}

function orderCanary(one: CanaryFacts): CanaryFacts {
  const files = one.files.map((each) => ({ ...each, planted: ordered(each.planted) }));
  return { ...one, files: ordered(files), runs: ordered(one.runs.map(orderRun)) };
}

function orderRun(run: RunFacts): RunFacts {
  return {
    ...run,
    faults: ordered(run.faults),
    cases: ordered(run.cases),
    modules: ordered(run.modules),
    unhandled: ordered(run.unhandled),
    ...(run.without_assertions === undefined ? {} : { without_assertions: ordered(run.without_assertions) }),
  };
}

function ordered<T>(items: readonly T[]): readonly T[] {
  return items
    .map((item) => ({ item, key: canonicalJson(item) }))
    .sort((a, b) => compareText(a.key, b.key))
    .map(({ item }) => item);
}

/** Most logs are in this order already. A record's digest is its own; only where two claim the same one is the rest compared. */
function orderedByStart(items: readonly CommandRecord[]): readonly CommandRecord[] {
  return items.toSorted(
    (a, b) => byStart(a, b) || compareText(a.digest, b.digest) || compareText(canonicalJson(a), canonicalJson(b)),
  );
}

function orderPolicy(facts: Facts): Pick<Facts, "rules" | "quarantine"> {
  return {
    ...(facts.rules === undefined
      ? {}
      : { rules: { ...facts.rules, rules: ordered(facts.rules.rules), hits: ordered(facts.rules.hits) } }),
    ...(facts.quarantine === undefined
      ? {}
      : { quarantine: { ...facts.quarantine, tests: ordered(facts.quarantine.tests) } }),
  };
}
