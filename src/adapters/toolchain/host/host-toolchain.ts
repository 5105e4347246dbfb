import { readdir, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { TrueupError } from "../../../errors.ts";
import type { CacheHolds, ResolvedToolchain, SandboxMount, Toolchain, ToolchainWishes } from "../../../ports/index.ts";
import { openProgramsDirectory } from "./node-copy.ts";
import { probeNode, type ProbedNode } from "./node-probe.ts";
import { findMisfit } from "./node-wish.ts";
import { findNpm, type FoundNpm } from "./npm-package.ts";
import { findPrograms } from "./path-programs.ts";
import { findPython, type FoundPython } from "./python-probe.ts";

/** Where the programs lie inside the sandbox. */
const programsInside = "/opt/trueup/bin";
const npmInside = "/opt/trueup/npm";

export interface HostToolchainOptions {
  /** The executor's own variables; only `PATH` and `HOME` are read. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Holds the execute-only copies, under `toolchains/`. */
  readonly cacheDirectory: string;
  /** Keeps those copies from being removed while this process lives; nobody removes any when absent. */
  readonly holds?: CacheHolds;
  /** The root of this package: programs under it are never the repository's. */
  readonly ownPackageRoot: string;
  /** The node of last resort, for tests; our own by default. */
  readonly ownNode?: string;
}

/** Resolves node and npm from the executor's PATH; our own node comes last. Throws `toolchain-missing` and `toolchain-mismatch`. */
export function createHostToolchain(options: HostToolchainOptions): Toolchain {
  return {
    async resolve(wishes) {
      const node = await chooseNode(options, wishes);
      const npm = await findNpm(
        await findPrograms("npm", options.environment["PATH"] ?? "", options.ownPackageRoot),
        node,
      );
      const npmCli = npm === null ? null : join(npm.movable ? npmInside : npm.root, "bin/npm-cli.js");
      const inside = `${programsInside}/node`;
      const programs = await openProgramsDirectory({
        cacheDirectory: options.cacheDirectory,
        ...(options.holds === undefined ? {} : { holds: options.holds }),
        binary: node.binary,
        node: inside,
        npmCli,
      });
      const resolved = describe(node, npm, [
        { kind: "read-only", source: programs, target: programsInside },
        ...(await libraryMounts(node.binary)),
        ...(npm?.movable === true ? [{ kind: "read-only", source: npm.root, target: npmInside } as const] : []),
      ]);
      return wishes.python === true ? withPython(resolved, await askForPython(options)) : resolved;
    },
  };
}

async function askForPython({ environment, ownPackageRoot }: HostToolchainOptions): Promise<FoundPython | null> {
  return findPython(environment["PATH"] ?? "", { ownPackageRoot, home: environment["HOME"] });
}

function withPython(resolved: ResolvedToolchain, found: FoundPython | null): ResolvedToolchain {
  if (found === null) return { ...resolved, python: null };
  const { binary, version, pytestVersion } = found;
  return {
    ...resolved,
    tools: [
      ...resolved.tools,
      { name: "python", version },
      { name: "pytest", version: pytestVersion },
      { name: "python packages", version: found.packages },
    ],
    mounts: [...resolved.mounts, ...found.mounts],
    path: [...resolved.path, dirname(binary)],
    python: { binary, version, pytestVersion },
  };
}

function describe(node: ProbedNode, npm: FoundNpm | null, mounts: readonly SandboxMount[]): ResolvedToolchain {
  return {
    tools: [{ name: "node", version: node.version }, ...(npm === null ? [] : [{ name: "npm", version: npm.version }])],
    mounts,
    path: [programsInside],
    node: `${programsInside}/node`,
    nodeVersion: node.version,
    nodeAbi: node.abi,
    npmCli: npm === null ? null : join(npm.movable ? npmInside : npm.root, "bin/npm-cli.js"),
    npmVersion: npm?.version ?? null,
  };
}

async function chooseNode(options: HostToolchainOptions, wishes: ToolchainWishes): Promise<ProbedNode> {
  const onPath = await findPrograms("node", options.environment["PATH"] ?? "", options.ownPackageRoot);
  const ownNode = await realpath(options.ownNode ?? process.execPath);
  const paths = [...onPath.filter((each) => each.real !== ownNode).map((each) => each.path), ownNode];
  const seen: string[] = [];
  for (const path of paths) {
    const node = await probeNode(path, { home: options.environment["HOME"], cacheDirectory: options.cacheDirectory });
    const misfit = node === null ? "it does not answer" : findMisfit(wishes, node.version);
    if (node !== null && misfit === null) return node;
    seen.push(`${node?.version ?? "unknown"} at ${path}: ${misfit ?? ""}`);
  }
  throw new TrueupError("toolchain-mismatch", {
    subject: `node ${wanted(wishes)}`,
    detail: `found ${seen.join("; ")}`,
  });
}

function wanted(wishes: ToolchainWishes): string {
  return [wishes.node, wishes.nodeVersionFile?.trim()]
    .filter((each) => each !== null && each !== undefined && each !== "")
    .join(" and ");
}

/** A node built against its own shared library finds it beside its prefix; `/usr` is in the sandbox anyway. */
async function libraryMounts(binary: string): Promise<readonly SandboxMount[]> {
  const library = join(dirname(dirname(binary)), "lib");
  if (library.startsWith("/usr/")) return [];
  const names = await readdir(library).catch(() => []);
  if (!names.some((name) => name.startsWith("libnode."))) return [];
  return [
    { kind: "read-only", source: library, target: library },
    { kind: "read-only", source: library, target: "/opt/trueup/lib" },
  ];
}
