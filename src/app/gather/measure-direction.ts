import type {
  ChangeFacts,
  DirectionFacts,
  ProfileFacts,
  QuarantineFacts,
  RunFacts,
  RunPurpose,
  TrustRootFacts,
} from "../../core/facts/index.ts";
import { entryStands } from "../../core/gate/index.ts";
import type { AssertionDemand } from "./assertion-demand.ts";
import { measureTests, type MeasureRequest } from "./measure-tree.ts";
import { sortChange, type SortedChange } from "./plan-direction.ts";
import { planRunners } from "./planned-runners.ts";
import { createSourceReach, type SourceReach } from "./source-reach.ts";
import { openTreeReader } from "./tree-reader.ts";

/** Both sides of a change as they were measured whole, ready to be measured in part. */
export interface BothSides {
  readonly base: MeasureRequest;
  readonly head: MeasureRequest;
  readonly change: ChangeFacts;
  readonly trustRoots: TrustRootFacts;
  readonly runs: readonly RunFacts[];
  readonly baseAgain: readonly RunFacts[];
  /** What base's policy puts up with. */
  readonly quarantine: QuarantineFacts | null;
  /** By which profile it is judged; null is the strict one. */
  readonly profile: ProfileFacts | null;
  readonly demands: readonly AssertionDemand[];
}

/** A tests entry whose head run passes by itself, so that more runs of it can say more. */
export interface StandingEntry {
  readonly criterion: number;
  readonly sides: BothSides;
  readonly headRun: RunFacts;
  readonly sorted: SortedChange;
  /** Over head's tree. */
  readonly reach: SourceReach;
  /**
   * Files that ran and are not in the tree, where the change has tests of which none ran by its own name: the tests are built
   * before they run, and which of them a changed file became is not known.
   */
  readonly builtTests: readonly string[];
  /** Why partial runs cannot or need not be made; null when they can. */
  readonly notRun: string | null;
}

const held = "the run of the whole change does not stand by itself";

/** The entries that were run on both sides, each with what the change is to its tests. */
export async function findEntries(sides: BothSides): Promise<readonly StandingEntry[]> {
  const { contract } = sides.head;
  const headReader = await openTreeReader(sides.head.mirror, sides.head.tree);
  const planned = await planRunners(headReader, contract);
  const paths = new Set(headReader.entries.map((one) => one.path));
  const restored = sides.trustRoots.changed.filter((one) => one.restored).map((one) => one.path);
  const { change, runs, trustRoots, baseAgain, quarantine, profile } = sides;
  return [...(contract.tests ?? []).keys()].flatMap((criterion) => {
    const of = (purpose: RunPurpose): RunFacts | undefined =>
      runs.find((run) => run.criterion === criterion && run.purpose === purpose);
    const [headRun, baseRun] = [of("head"), of("base")];
    if (headRun === undefined || baseRun === undefined) return [];
    const sorted = sortChange(change.entries, { head: headRun, base: baseRun }, restored);
    const reach = createSourceReach(headReader, sorted.sources);
    const judged = { change, runs, base_again: baseAgain, trust_roots: trustRoots };
    const stands = entryStands(
      {
        ...judged,
        ...(quarantine === null ? {} : { quarantine }),
        ...(profile === null ? {} : { profile }),
      },
      contract,
      criterion,
    );
    const { runner } = planned[criterion] ?? {};
    const unpinned =
      runner?.pinFiles === undefined ? `${headRun.runner.name} cannot be held to a few files by this version` : null;
    const builtTests = findBuiltTests(headRun, { sorted, paths });
    // Built tests are run as the command names them: no file of the tree is to be held to.
    const cannot = builtTests.length > 0 ? null : unpinned;
    return [{ criterion, sides, headRun, sorted, reach, builtTests, notRun: stands ? cannot : held }];
  });
}

function findBuiltTests(
  headRun: RunFacts,
  { sorted, paths }: { readonly sorted: SortedChange; readonly paths: ReadonlySet<string> },
): readonly string[] {
  const testChanged = sorted.testSide.some((file) => paths.has(file));
  if (sorted.headTests.length > 0 || sorted.sources.length === 0 || !testChanged) return [];
  return [...new Set(headRun.modules.map((one) => one.file))].filter((file) => !paths.has(file)).toSorted();
}

/** Runs the changed tests over the other side's sources, each only where there are such tests. */
export async function measureDirection(entry: StandingEntry): Promise<DirectionFacts> {
  const { criterion, sorted, reach, builtTests, notRun } = entry;
  const named = await Promise.all(sorted.headTests.map(async (file) => ({ file, reaches: await reach.of(file) })));
  const head_files = [...named, ...builtTests.map((file) => ({ file, reaches: sorted.sources }))];
  const base_files = await findBaseFiles(entry);
  const due = head_files.length + base_files.length > 0;
  return {
    criterion,
    sources: sorted.sources,
    head_files,
    base_files,
    head_on_base: notRun === null ? await runOnBase(entry) : null,
    base_on_head: notRun === null ? await runOnHead(entry, base_files) : null,
    not_run: due ? notRun : null,
  };
}

/** Changed test files of base, and unchanged ones that use a helper or fixture that was changed. */
async function findBaseFiles({ sides, sorted, criterion }: StandingEntry): Promise<readonly string[]> {
  if (sorted.support.length === 0) return sorted.baseTests;
  const reader = await openTreeReader(sides.base.mirror, sides.base.tree);
  const reach = createSourceReach(reader, sorted.support);
  const run = sides.runs.find((one) => one.criterion === criterion && one.purpose === "base");
  const modules = [...new Set((run?.modules ?? []).map((one) => one.file))].slice(0, examinedFiles);
  const using = await Promise.all(modules.map(async (file) => ((await reach.of(file)).length > 0 ? [file] : [])));
  return [...new Set([...sorted.baseTests, ...using.flat()])].toSorted();
}

/** Imports of more test files than this are not followed for a changed helper. */
const examinedFiles = 500;

async function runOnBase({ sides, sorted, builtTests, criterion }: StandingEntry): Promise<RunFacts | null> {
  if (sorted.headTests.length + builtTests.length === 0) return null;
  const { base, head } = sides;
  const tree = await base.mirror.restorePaths(base.tree, head.tree, sorted.testSide);
  const purpose = "head-tests-on-base" as const;
  const partial = builtTests.length > 0 ? { purpose } : { purpose, files: sorted.headTests };
  // Not with assertions required: a test that asserts nothing is no red.
  const { result } = await measureTests({ ...base, tree, partial }, criterion, false);
  return result?.facts ?? null;
}

async function runOnHead(
  { sides, sorted, criterion }: StandingEntry,
  files: readonly string[],
): Promise<RunFacts | null> {
  if (files.length === 0) return null;
  const { base, head, demands } = sides;
  const tree = await head.mirror.restorePaths(head.tree, base.tree, sorted.testSide);
  const partial = { purpose: "base-tests-on-head", files } as const;
  const required = (demands[criterion] ?? "required") === "required";
  const { result } = await measureTests({ ...head, tree, partial }, criterion, required);
  return result?.facts ?? null;
}
