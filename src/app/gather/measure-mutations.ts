import { decodePatch, revertHunk, type Hunk } from "../../core/change/index.ts";
import type { ChangeEntry, ChangeFacts, MutationFact, MutationFacts, RunFacts } from "../../core/facts/index.ts";
import { isTestPath } from "../../core/lint/index.ts";
import { measureTests, type MeasureRequest } from "./measure-tree.ts";

/** How much may be spent on undoing hunks. */
export interface MutationBudget {
  /** Milliseconds of test runs; the run that goes over it is the last. */
  readonly runMs: number;
}

interface Mutant {
  readonly path: string;
  readonly line: number;
  readonly bytes: Uint8Array;
}

/**
 * Undoes each hunk of the changed files that are no tests, one at a time, largest first, and runs the test commands that
 * head passed. What survives is code that no test of the contract looks at. New files have no hunk to undo.
 */
export async function measureMutations(
  request: MeasureRequest,
  on: { readonly change: ChangeFacts; readonly patch: Uint8Array; readonly runs: readonly RunFacts[] },
  budget: MutationBudget,
): Promise<MutationFacts> {
  const green = on.runs.filter((run) => run.purpose === "head" && run.exit.code === 0 && run.faults.length === 0);
  const { mutants, hunks } = await readMutants(request, on);
  const tried: MutationFact[] = [];
  let spent = 0;
  for (const { path, line, bytes } of green.length === 0 ? [] : mutants) {
    if (spent >= budget.runMs || request.signal?.aborted === true) break;
    const tree = await request.mirror.putFile(request.tree, { path, bytes });
    let survived = true;
    for (const run of green) {
      const { result } = await measureTests({ ...request, tree }, run.criterion, run.assertions_required);
      spent += result?.facts.duration_ms ?? 0;
      survived = result !== null && isSame(run, result.facts);
      if (!survived) break;
    }
    tried.push({ path, line, outcome: survived ? "survived" : "noticed" });
  }
  // A hunk that cannot be undone on its own was not tried either.
  return { tried, left: hunks - tried.length };
}

/** The same number of plain passes and nothing wrong: no test noticed. */
function isSame(before: RunFacts, after: RunFacts): boolean {
  const passed = (run: RunFacts): number => run.cases.filter((one) => one.state === "passed").length;
  return after.exit.code === 0 && after.faults.length === 0 && passed(before) === passed(after);
}

async function readMutants(
  request: MeasureRequest,
  { change, patch }: { readonly change: ChangeFacts; readonly patch: Uint8Array },
): Promise<{ readonly mutants: readonly Mutant[]; readonly hunks: number }> {
  const mutable = change.entries.filter(isMutable);
  const decoded = decodePatch(patch);
  // A patch with binary files has no hunks that could be read: nothing is tried, and each file counts as left.
  if (!decoded.ok) return { mutants: [], hunks: mutable.length };
  const sections = new Map(decoded.value.map((section) => [`${section.old_id}..${section.new_id}`, section.hunks]));
  const mutants: (Mutant & { readonly size: number })[] = [];
  let count = 0;
  for (const entry of mutable) {
    const file = await request.mirror.readFile(request.tree, entry.path);
    const hunks = sections.get(`${entry.old_id}..${entry.new_id}`) ?? [];
    count += hunks.length;
    mutants.push(...(file === null ? [] : hunks.flatMap((hunk) => mutantOf(entry.path, file, hunk))));
  }
  return { mutants: mutants.toSorted((a, b) => b.size - a.size), hunks: count };
}

function isMutable(entry: ChangeEntry): boolean {
  return entry.status === "modified" && !entry.true_binary && entry.valid_utf8 && !isTestPath(entry.path);
}

function mutantOf(path: string, file: Uint8Array, hunk: Hunk): readonly (Mutant & { readonly size: number })[] {
  const bytes = revertHunk(file, hunk);
  return bytes === null ? [] : [{ path, line: hunk.new_start, bytes, size: hunk.added + hunk.deleted }];
}
