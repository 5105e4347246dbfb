import { trustRootByName } from "../../core/contract/index.ts";
import type { ChangeEntry, RunFacts } from "../../core/facts/index.ts";
import { isTestPath } from "../../core/lint/index.ts";
import { snapshotOwner } from "./source-reach.ts";

/** Changed paths, sorted by what they are to the tests. */
export interface SortedChange {
  /** Test files of head that are new, changed, or whose snapshot is. */
  readonly headTests: readonly string[];
  /** Test files of base that were changed or removed, or whose snapshot was. */
  readonly baseTests: readonly string[];
  /** What belongs to tests and goes with them from side to side: test files, snapshots, helpers and fixtures. */
  readonly testSide: readonly string[];
  /** Helpers and fixtures among them that base has. */
  readonly support: readonly string[];
  readonly sources: readonly string[];
}

const document = /\.(?:md|mdx|markdown|txt|rst|adoc)$|(?:^|\/)(?:LICENSE|NOTICE|AUTHORS|CHANGELOG)$/iu;

/** Sorts the changed paths of head by the test files that the runs reported; what was put back as on base has not changed. */
export function sortChange(
  entries: readonly ChangeEntry[],
  runs: { readonly head: RunFacts; readonly base: RunFacts },
  restored: readonly string[],
): SortedChange {
  const headModules = new Set(runs.head.modules.map((one) => one.file));
  const baseModules = new Set(runs.base.modules.map((one) => one.file));
  const changed = entries.filter((entry) => entry.valid_utf8 && !restored.includes(entry.path));
  const existed = changed.filter((entry) => entry.status !== "added").map((entry) => entry.path);
  const exists = changed.filter((entry) => entry.status !== "deleted").map((entry) => entry.path);
  const isTest = (file: string): boolean => headModules.has(file) || baseModules.has(file);
  const belongs = (file: string): boolean => isTest(file) || isTest(snapshotOwner(file) ?? "") || isTestPath(file);
  const paths = changed.map((entry) => entry.path);
  const testsAmong = (files: readonly string[], modules: ReadonlySet<string>): readonly string[] =>
    [...new Set(files.flatMap((file) => [file, snapshotOwner(file) ?? file]))].filter((file) => modules.has(file));
  return {
    headTests: testsAmong(exists, headModules).toSorted(),
    baseTests: testsAmong(
      [...existed, ...paths.filter((file) => snapshotOwner(file) !== null)],
      baseModules,
    ).toSorted(),
    testSide: paths.filter((file) => belongs(file) && trustRootByName(file) === null),
    support: existed.filter((file) => belongs(file) && !isTest(file) && snapshotOwner(file) === null),
    sources: paths.filter((file) => !belongs(file) && trustRootByName(file) === null && !document.test(file)),
  };
}
