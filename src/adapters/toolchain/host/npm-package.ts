import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runsOn } from "./node-wish.ts";
import type { FoundProgram } from "./path-programs.ts";

/** An npm that runs on the chosen node. */
export interface FoundNpm {
  /** The package's root on the host. */
  readonly root: string;
  readonly version: string;
  /** False where npm's own dependencies lie elsewhere under `/usr`, so that the package cannot be moved. */
  readonly movable: boolean;
}

/** The first npm that fits the node's version: those of the PATH in order, then the one beside the node binary. */
export async function findNpm(
  programs: readonly FoundProgram[],
  node: { readonly binary: string; readonly version: string },
): Promise<FoundNpm | null> {
  const beside = join(dirname(dirname(node.binary)), "lib/node_modules/npm");
  const roots = [
    ...(await Promise.all(programs.map((each) => packageRootOf(each.real)))),
    await realpath(beside).catch(() => null),
  ];
  for (const root of roots) {
    const npm = root === null ? null : await readNpm(root, node.version);
    if (npm !== null) return npm;
  }
  return null;
}

async function packageRootOf(file: string): Promise<string | null> {
  for (let directory = dirname(file); directory !== dirname(directory); directory = dirname(directory)) {
    if ((await readManifest(directory))?.name === "npm") return directory;
  }
  return null;
}

async function readNpm(root: string, nodeVersion: string): Promise<FoundNpm | null> {
  const manifest = await readManifest(root);
  if (manifest?.name !== "npm" || !runsOn(manifest.engine, nodeVersion)) return null;
  const isFile = async (path: string): Promise<boolean> => (await stat(path).catch(() => null))?.isFile() ?? false;
  if (!(await isFile(join(root, "bin/npm-cli.js")))) return null;
  const movable = (await stat(join(root, "node_modules")).catch(() => null))?.isDirectory() ?? false;
  if (!movable && !root.startsWith("/usr/")) return null;
  return { root, version: manifest.version, movable };
}

async function readManifest(
  directory: string,
): Promise<{ name: string; version: string; engine: string | null } | null> {
  try {
    const read: unknown = JSON.parse(await readFile(join(directory, "package.json"), "utf8"));
    const { name, version, engines } = Object(read) as {
      name?: unknown;
      version?: unknown;
      engines?: { node?: unknown };
    };
    if (typeof name !== "string" || typeof version !== "string") return null;
    return { name, version, engine: typeof engines?.node === "string" ? engines.node : null };
  } catch {
    return null;
  }
}
