import { planPlanted } from "../../core/canary/index.ts";
import type { CanaryFacts, CanaryFile, RunFacts } from "../../core/facts/index.ts";
import type { TestRunner } from "../../core/test-report/index.ts";
import { findRunner } from "../../runners/index.ts";
import type { StandingEntry } from "./measure-direction.ts";
import { measureTests } from "./measure-tree.ts";
import { normalDirectory } from "./package-roots.ts";
import { resolveTestCommand } from "./test-command.ts";
import { openTreeReader, readText } from "./tree-reader.ts";

const existingFiles = 3;
/** The imports of more existing test files than this are not followed to find those three. */
const examinedFiles = 300;

/**
 * Runs head once more with must-fail tests in its new and changed test files, and in up to three others that import a changed
 * source. `seed` is random: titles and names of what is planted follow from it.
 */
export async function measureCanary(entry: StandingEntry, seed: string): Promise<CanaryFacts> {
  const { criterion, notRun, headRun } = entry;
  const runner = findRunner(headRun.runner.name);
  const unable = notRun ?? (runner?.plantCanary === undefined ? `no canary is known for ${headRun.runner.name}` : null);
  if (unable !== null || runner === null) return { criterion, files: [], runs: [], not_run: unable };
  const planted = await plantFiles(entry, { runner, seed });
  const runs = planted.files.some((one) => one.planted.length > 0) ? await runPlanted(entry, planted) : [];
  return { criterion, files: planted.files, runs, not_run: null };
}

interface PlantedTree {
  readonly tree: string;
  readonly files: readonly CanaryFile[];
}

async function plantFiles(
  entry: StandingEntry,
  { runner, seed }: { readonly runner: TestRunner; readonly seed: string },
): Promise<PlantedTree> {
  const { head } = entry.sides;
  const reader = await openTreeReader(head.mirror, head.tree);
  const anyTitle = !(await filtersTitles(entry, runner));
  const files: CanaryFile[] = [];
  let tree = head.tree;
  for (const file of await chooseFiles(entry)) {
    const text = await readText(reader, file);
    const beside = entry.headRun.cases.filter((one) => one.file === file);
    const twinned = beside.filter((one) => runner.canTwin?.(text ?? "", one) ?? true);
    const nameStray = (title: string): string => runner.nameStray?.(title, twinned) ?? title;
    const strays = anyTitle && (runner.canTwin === undefined || twinned.length > 0);
    const planted = planPlanted(twinned, { seed, file, anyTitle: strays, nameStray });
    const code = text === null ? null : (runner.plantCanary?.({ path: file, text, planted, seed, beside }) ?? null);
    files.push({ file, planted: code === null ? [] : planted });
    if (code !== null) tree = await head.mirror.putFile(tree, { path: file, bytes: new TextEncoder().encode(code) });
  }
  return { tree, files };
}

async function filtersTitles({ sides, criterion }: StandingEntry, runner: TestRunner): Promise<boolean> {
  const { head } = sides;
  const asked = head.contract.tests?.[criterion];
  if (asked === undefined || runner.filtersTitles === undefined) return false;
  const place = { reader: await openTreeReader(head.mirror, head.tree), cwd: normalDirectory(asked.cwd ?? "") };
  return runner.filtersTitles((await resolveTestCommand(asked.command, place)).args);
}

/** New and changed test files, and existing ones that import a changed source; where there is none, any: something must stand trial. */
async function chooseFiles({ headRun, sorted, reach }: StandingEntry): Promise<readonly string[]> {
  const modules = [...new Set(headRun.modules.map((one) => one.file))].toSorted();
  const others = modules.filter((file) => !sorted.headTests.includes(file));
  const importing: string[] = [];
  for (const file of others.slice(0, examinedFiles)) {
    if (importing.length === existingFiles) break;
    if ((await reach.of(file)).length > 0) importing.push(file);
  }
  const chosen = [...sorted.headTests, ...importing];
  return chosen.length > 0 ? chosen : others.slice(0, existingFiles);
}

/** A second run only where all that must fail did, and some real test failed too: it may be one that fails now and then. */
async function runPlanted(entry: StandingEntry, { tree, files }: PlantedTree): Promise<readonly RunFacts[]> {
  const { sides, criterion, headRun } = entry;
  const planted = files.filter((one) => one.planted.length > 0);
  const partial = { purpose: "canary", files: planted.map((one) => one.file) } as const;

  const required = (sides.demands[criterion] ?? "required") === "required";
  const run = async (): Promise<readonly RunFacts[]> => {
    const { result } = await measureTests({ ...sides.head, tree, partial }, criterion, required);
    return result === null ? [] : [result.facts];
  };
  const first = await run();
  return first.some((one) => lostReal(one, headRun, partial.files)) ? [...first, ...(await run())] : first;
}

/** Whether a test that passed on head did not pass in a run of some of its files. */
function lostReal(run: RunFacts, headRun: RunFacts, files: readonly string[]): boolean {
  const key = (one: RunFacts["cases"][number]): string =>
    JSON.stringify([one.project, one.file, one.suite, one.title, one.ordinal]);
  const passed = new Set(run.cases.filter((one) => one.state === "passed").map(key));
  return headRun.cases.some((one) => one.state === "passed" && files.includes(one.file) && !passed.has(key(one)));
}
