import type { RunFacts } from "../../core/facts/index.ts";
import { findRunner } from "../../runners/index.ts";
import type { AssertionDemand } from "./assertion-demand.ts";
import { measureTests, type MeasureRequest } from "./measure-tree.ts";

/**
 * Runs base once more, as often as head, in the files of tests that passed there and on head failed or were gone: what fails
 * or goes missing there too is no fault of the change. Only where such failures may stand at all.
 */
export async function measureBaseAgain(
  base: MeasureRequest,
  runs: readonly RunFacts[],
  demands: readonly AssertionDemand[],
): Promise<readonly RunFacts[]> {
  const { contract } = base;
  if ((contract.baseline ?? "no-worse") !== "no-worse") return [];
  const again: RunFacts[] = [];
  for (const [criterion, entry] of (contract.tests ?? []).entries()) {
    const files = entry.passed === undefined ? lostFiles(runs, criterion) : [];
    const demand = demands[criterion] ?? "required";
    if (files.length === 0) continue;
    const partial = { purpose: "base-again", files } as const;
    const { result } = await measureTests({ ...base, partial }, criterion, demand === "required");
    if (result !== null) again.push(result.facts);
  }
  return again;
}

function lostFiles(runs: readonly RunFacts[], criterion: number): readonly string[] {
  const of = (purpose: RunFacts["purpose"]): RunFacts | undefined =>
    runs.find((run) => run.criterion === criterion && run.purpose === purpose);
  const [head, base] = [of("head"), of("base")];
  if (head === undefined || base === undefined || findRunner(base.runner.name)?.pinFiles === undefined) return [];
  // A run of head that is not to be believed blocks by itself.
  if (head.faults.length > 0 || head.exit.error !== null) return [];
  const states = new Map(head.cases.map((one) => [keyOf(one), one.state]));
  const lost = base.cases.filter((one) => {
    const state = states.get(keyOf(one));
    return one.state === "passed" && (state === undefined || state === "failed");
  });
  return [...new Set(lost.map((one) => one.file))].toSorted();
}

function keyOf({ project, file, suite, title, ordinal }: RunFacts["cases"][number]): string {
  return JSON.stringify([project, file, suite, title, ordinal]);
}
