import { compareText } from "../../../core/digest.ts";
import type {
  Dependencies,
  InstalledDependencies,
  InstallRequest,
  LockedVersions,
  SandboxMount,
} from "../../../ports/index.ts";
import type { InstallDriver, PlannedInstall } from "../shared/install-driver.ts";

/** The package managers that roots are handed to. */
export interface Managers {
  /** Also takes every root that no other takes, and refuses what it cannot install by name. */
  readonly npm: InstallDriver;
  readonly pnpm: InstallDriver;
}

/** Gives each root to the manager whose lockfile it has; where it has two, `packageManager` decides. */
export function createDependenciesByLockfile(managers: Managers): Dependencies {
  return {
    async install(request) {
      const chosen = await Promise.all(request.roots.map((root) => chooseManager(request, root)));
      const rootsOf = (name: keyof Managers): readonly string[] =>
        request.roots.filter((_root, index) => chosen[index] === name);
      const planned = await planAll(request, [
        { manager: managers.npm, roots: rootsOf("npm") },
        { manager: managers.pnpm, roots: rootsOf("pnpm") },
      ]);
      request.onLocked?.(firstKnown(planned.map((one) => one.locked)));
      return installAll(planned);
    },
  };
}

async function chooseManager({ reader }: InstallRequest, root: string): Promise<keyof Managers> {
  const at = (name: string): string => (root === "" ? name : `${root}/${name}`);
  const paths = new Set(reader.entries.map((entry) => entry.path));
  if (!paths.has(at("pnpm-lock.yaml"))) return "npm";
  const wanted = /"packageManager"\s*:\s*"(\w+)@/u.exec(await readText(reader, at("package.json")))?.[1];
  if (wanted !== undefined) return wanted === "pnpm" ? "pnpm" : "npm";
  return paths.has(at("package-lock.json")) || paths.has(at("npm-shrinkwrap.json")) ? "npm" : "pnpm";
}

async function readText(reader: InstallRequest["reader"], path: string): Promise<string> {
  return new TextDecoder().decode((await reader.read(path)) ?? new Uint8Array());
}

async function planAll(
  request: InstallRequest,
  parts: readonly { readonly manager: InstallDriver; readonly roots: readonly string[] }[],
): Promise<readonly PlannedInstall[]> {
  const planned: PlannedInstall[] = [];
  for (const { manager, roots } of parts) if (roots.length > 0) planned.push(await manager.plan({ ...request, roots }));
  return planned;
}

function firstKnown(all: readonly LockedVersions[]): LockedVersions {
  return (cwd, name) => {
    for (const locked of all) {
      const version = locked(cwd, name);
      if (version !== null) return version;
    }
    return null;
  };
}

/** Two managers never share a place of the tree; a program of the same place is the same. */
function distinctTargets(mounts: readonly SandboxMount[]): readonly SandboxMount[] {
  return [...new Map(mounts.map((mount) => [mount.target, mount])).values()];
}

async function installAll(planned: readonly PlannedInstall[]): Promise<InstalledDependencies> {
  const all: InstalledDependencies[] = [];
  try {
    for (const one of planned) all.push(await one.install());
  } catch (error) {
    await Promise.all(all.map((one) => one.release()));
    throw error;
  }
  const first = async (ask: (one: InstalledDependencies) => Promise<string | null>): Promise<string | null> => {
    for (const one of all) {
      const found = await ask(one);
      if (found !== null) return found;
    }
    return null;
  };
  return {
    facts: all.flatMap((one) => one.facts).toSorted((a, b) => compareText(a.root, b.root)),
    mounts: distinctTargets(all.flatMap((one) => one.mounts)),
    mountPoints: all.flatMap((one) => one.mountPoints),
    path: [...new Set(all.flatMap((one) => one.path))],
    packageVersion: (cwd, name) => first((one) => one.packageVersion(cwd, name)),
    resolveBin: (cwd, bin) => first((one) => one.resolveBin(cwd, bin)),
    release: async () => void (await Promise.all(all.map((one) => one.release()))),
  };
}
