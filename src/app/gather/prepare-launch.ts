import path from "node:path";
import type { TestRunner } from "../../core/test-report/index.ts";
import { TrueupError } from "../../errors.ts";
import type { FoundElsewhere } from "../../core/facts/index.ts";
import type { TestsEntry } from "../../core/contract/index.ts";
import type { InstalledDependencies, ResolvedToolchain, TreeReader } from "../../ports/index.ts";
import { findRunner } from "../../runners/index.ts";
import { normalDirectory } from "./package-roots.ts";
import { runnerNotInstalled, toolchainVersion } from "./planned-runners.ts";
import {
  findElsewhere,
  findNamedFiles,
  resolveTestCommand,
  type NamedFiles,
  type ResolvedTestCommand,
} from "./test-command.ts";

/**
 * Where the witness is mounted inside the sandbox, read-only. Below a `node_modules`, so that vite leaves the reporter to
 * node: newer vites serve no file outside the repository, and no plug-in of the repository shall rewrite it.
 */
export const witnessMount = "/opt/trueup/node_modules/witness";
/** Where the runner's own report goes inside. */
export const reportMount = "/opt/trueup/report.json";

/** Files excluded by name at most; a tree with more is left to the check after the run. */
const excludeLimit = 200;

/** What a tests entry is made ready from. */
export interface LaunchSource {
  readonly entry: TestsEntry;
  /** The git tree the room shows. */
  readonly reader: TreeReader;
  readonly toolchain: ResolvedToolchain;
  readonly dependencies: InstalledDependencies;
  readonly assertionsRequired: boolean;
  /** Only these files, relative to the repository root, in place of what the command names. */
  readonly files?: readonly string[];
}

/** A command made ready: the runner, its installed version, the words that run. */
export interface Launch {
  readonly runner: TestRunner;
  readonly version: string;
  readonly command: ResolvedTestCommand;
  readonly argv: readonly string[];
  /** Variables that the runner needs besides those every run has. */
  readonly env: Readonly<Record<string, string>>;
  /** The files the command names, when it names nothing but files. */
  readonly named: NamedFiles | null;
  /** Arguments that name no file in the command's directory, but one elsewhere. */
  readonly elsewhere: readonly FoundElsewhere[];
}

async function findInstalled(
  request: LaunchSource,
  { runner: name, args }: ResolvedTestCommand,
  cwd: string,
): Promise<Pick<Launch, "runner" | "version"> & { readonly bin: string }> {
  const runner = findRunner(name);
  if (runner === null) throw new TrueupError("runner-unknown", { subject: name });
  const { bin, version } = await locate(request, runner, cwd);
  if (bin !== null && version !== null) return { runner, version, bin };
  throw runnerNotInstalled({ runner, args, place: { reader: request.reader, cwd } });
}

/** Among the dependencies as seen from `cwd`, or in the toolchain. */
async function locate(
  { dependencies, toolchain }: LaunchSource,
  runner: TestRunner,
  cwd: string,
): Promise<{ readonly bin: string | null; readonly version: string | null }> {
  if (runner.program === undefined) {
    const bin = await dependencies.resolveBin(cwd, runner.bin);
    return { bin, version: await dependencies.packageVersion(cwd, runner.packageName) };
  }
  const bin = runner.program === "node" ? toolchain.node : (toolchain.python?.binary ?? null);
  return { bin, version: toolchainVersion(runner, toolchain) };
}

/** The command's arguments, or the same held to a few files. Callers ask only a runner that can be held so. */
function pinnedArgs(
  runner: TestRunner,
  args: readonly string[],
  { files, cwd }: { readonly files: readonly string[] | undefined; readonly cwd: string },
): readonly string[] {
  if (files === undefined) return args;
  if (runner.pinFiles === undefined) throw new TypeError(`${runner.name} cannot be held to a few files`);
  return runner.pinFiles(
    args,
    files.map((file) => (cwd === "" ? file : path.posix.relative(cwd, file))),
  );
}

/**
 * Resolves the command to the clean room's own binary, with our options. Throws `contract-invalid`, `runner-unknown`,
 * `runner-not-installed` and `runner-unsupported`.
 */
export async function prepareLaunch(request: LaunchSource): Promise<Launch> {
  const place = { reader: request.reader, cwd: normalDirectory(request.entry.cwd ?? "") };
  const command = await resolveTestCommand(request.entry.command, place);
  const { runner, version, bin } = await findInstalled(request, command, place.cwd);
  const args = pinnedArgs(runner, command.args, { files: request.files, cwd: place.cwd });
  const filters = runner.fileFilters(args);
  const named = findNamedFiles(filters, place);
  const plan = runner.planLaunch({
    args,
    exact: named !== null,
    exclude: (named?.alsoMatched ?? []).slice(0, excludeLimit),
    node: request.toolchain.node,
    bin,
    witness: witnessMount,
    report: reportMount,
    version,
    assertionsRequired: request.assertionsRequired,
  });
  if (plan.kind === "unsupported-version") throw new TrueupError("runner-unsupported", { subject: plan.detail });
  const elsewhere = findElsewhere(filters, place);
  return { runner, version, command, argv: plan.argv, env: plan.env ?? {}, named, elsewhere };
}
