import { matchesAny } from "../../core/contract/index.ts";
import { compareText } from "../../core/digest.ts";
import type { ChangeFacts, GeneratedDifference, GeneratedFacts } from "../../core/facts/index.ts";
import type { TreeEntry } from "../../ports/index.ts";
import { measureStep, type MeasureRequest } from "./measure-tree.ts";

/**
 * Makes the contract's generated files again. The command runs over head with those that the change touches as base has
 * them: one that makes nothing leaves them so, and is found out. What it leaves is compared with the captured change.
 */
export async function measureGenerated(head: MeasureRequest, change: ChangeFacts): Promise<readonly GeneratedFacts[]> {
  const facts: GeneratedFacts[] = [];
  for (const [criterion, entry] of (head.contract.generated ?? []).entries()) {
    const touched = change.entries.map((one) => one.path).filter((path) => matchesAny(entry.paths, path));
    const tree = await head.mirror.restorePaths(head.tree, head.base.tree, touched);
    const { run, after } = await measureStep({ ...head, tree }, { criterion, entry });
    const wanted = matching(await head.mirror.listTree(change.tree), entry.paths);
    const made = after === null ? null : matching(await head.mirror.listTree(after), entry.paths);
    facts.push({
      criterion,
      tree: run === null ? null : tree,
      run,
      compared: wanted.size,
      differing: made === null ? [] : compare(wanted, made),
    });
  }
  return facts;
}

/** What of a tree matches, by path. */
function matching(entries: readonly TreeEntry[], paths: readonly string[]): ReadonlyMap<string, string> {
  const matched = entries.filter((one) => matchesAny(paths, one.path));
  return new Map(matched.map((one) => [one.path, `${one.mode} ${one.id}`]));
}

function compare(
  wanted: ReadonlyMap<string, string>,
  made: ReadonlyMap<string, string>,
): readonly GeneratedDifference[] {
  const known = [...wanted].flatMap(([path, entry]): readonly GeneratedDifference[] => {
    const again = made.get(path);
    if (again === entry) return [];
    return [{ path, state: again === undefined ? "missing" : "differs" }];
  });
  const extra = [...made.keys()].filter((path) => !wanted.has(path));
  return [...known, ...extra.map((path) => ({ path, state: "extra" as const }))].toSorted((a, b) =>
    compareText(a.path, b.path),
  );
}
