import { expandProjects, type AcceptanceContract } from "../../core/contract/index.ts";
import { TrueupError } from "../../errors.ts";
import type {
  Dependencies,
  InstalledDependencies,
  Mirror,
  Progress,
  ResolvedToolchain,
  Toolchain,
  TreeReader,
} from "../../ports/index.ts";
import { normalDirectory, packageRootsOf } from "./package-roots.ts";
import { planRunners, refuseLockedRunners, refuseToolchainRunners, type PlannedRunner } from "./planned-runners.ts";
import { refusePythonPackages } from "./python-packages.ts";
import { readToolchainWishes } from "./toolchain-wishes.ts";
import { openTreeReader } from "./tree-reader.ts";

/** The ports that make a tree ready to run. */
export interface PreparePorts {
  readonly toolchain: Toolchain;
  readonly dependencies: Dependencies;
  readonly progress: Progress;
}

/** Programs and packages of the base, ready to run. */
export interface PreparedBase {
  readonly toolchain: ResolvedToolchain;
  readonly installed: InstalledDependencies;
}

/** The programs of a tree, and what of it decides its packages. */
export interface FoundPrograms {
  readonly reader: TreeReader;
  readonly runners: readonly PlannedRunner[];
  /** Where packages are installed, relative to the repository's root. */
  readonly roots: readonly string[];
  readonly toolchain: ResolvedToolchain;
}

/** Resolves the toolchain and installs the dependencies that a tree asks for. */
export async function prepareTree(
  ports: PreparePorts,
  mirror: Mirror,
  options: { tree: string; contract: AcceptanceContract | null; signal?: AbortSignal },
): Promise<PreparedBase> {
  const reader = await openTreeReader(mirror, options.tree);
  const programs = await findPrograms(ports, reader, options.contract);
  return { toolchain: programs.toolchain, installed: await installPackages(ports, programs, options.signal) };
}

/** Finds the programs that a tree's tests run with. Throws the `runner-*`, `toolchain-*` and `contract-invalid` errors. */
export async function findPrograms(
  ports: Pick<PreparePorts, "toolchain">,
  reader: TreeReader,
  contract: AcceptanceContract | null,
): Promise<FoundPrograms> {
  const whole = contract === null ? null : expandProjects(contract, null).contract;
  refuseMissingLockfiles(reader, contract);
  const runners = await planRunners(reader, whole);
  const roots = packageRootsOf(reader, whole);
  refusePythonPackages(runners);
  const python = runners.some((one) => one.runner.program === "python");
  const toolchain = await ports.toolchain.resolve({ ...(await readToolchainWishes(reader, roots)), python });
  refuseToolchainRunners(runners, toolchain);
  return { reader, runners, roots, toolchain };
}

/** A project names its lockfile, so that a moved one is noticed: `contract-invalid` when the tree has none there. */
export function refuseMissingLockfiles(reader: TreeReader, contract: AcceptanceContract | null): void {
  const paths = new Set(reader.entries.map((entry) => entry.path));
  for (const [index, { lockfile }] of (contract?.projects ?? []).entries())
    if (!paths.has(normalDirectory(lockfile)))
      throw new TrueupError("contract-invalid", {
        subject: `projects[${index}].lockfile`,
        detail: `${lockfile} is not in the tree`,
      });
}

/** Installs what the tree's lockfiles name, once they are known to hold the runners. */
export async function installPackages(
  ports: Pick<PreparePorts, "dependencies" | "progress">,
  { reader, runners, roots, toolchain }: FoundPrograms,
  signal: AbortSignal | undefined,
): Promise<InstalledDependencies> {
  return ports.dependencies.install({
    reader,
    toolchain,
    roots,
    ...(signal === undefined ? {} : { signal }),
    onLocked: (locked) => refuseLockedRunners(runners, locked),
    onProgress: (text) => ports.progress.report({ kind: "note", step: "bootstrap", text }),
  });
}
