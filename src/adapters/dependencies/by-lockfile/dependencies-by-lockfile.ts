import { compareText } from "../../../core/digest.ts";
import type {
  Dependencies,
  InstalledDependencies,
  InstallRequest,
  LockedVersions,
  SandboxMount,
} from "../../../ports/index.ts";
import type { InstallDriver, PlannedInstall } from "../shared/install-driver.ts";
import { isObject } from "../shared/json-file.ts";

/** The package managers that roots are handed to. */
export interface Managers {
  /** Also takes every root that no other takes, and refuses what it cannot install by name. */
  readonly npm: InstallDriver;
  readonly pnpm: InstallDriver;
  readonly yarn: InstallDriver;
}

/** Each manager's lockfiles; where a root has several and its manifest names no manager, the first row that has one takes it. */
const lockfiles: readonly (readonly [keyof Managers, readonly string[]])[] = [
  ["npm", ["package-lock.json", "npm-shrinkwrap.json"]],
  ["pnpm", ["pnpm-lock.yaml"]],
  ["yarn", ["yarn.lock"]],
];

/** Gives each root to the manager whose lockfile it has; where it has two, `packageManager` decides. */
export function createDependenciesByLockfile(managers: Managers): Dependencies {
  return {
    async install(request) {
      const chosen = await Promise.all(request.roots.map((root) => chooseManager(request, root)));
      const parts = lockfiles.map(([name]) => ({
        manager: managers[name],
        roots: request.roots.filter((_root, index) => chosen[index] === name),
      }));
      const planned = await planAll(request, parts);
      request.onLocked?.(firstKnown(planned.map((one) => one.locked)));
      return installAll(planned);
    },
  };
}

async function chooseManager({ reader }: InstallRequest, root: string): Promise<keyof Managers> {
  const at = (name: string): string => (root === "" ? name : `${root}/${name}`);
  const paths = new Set(reader.entries.map((entry) => entry.path));
  const present = lockfiles.filter(([, names]) => names.some((name) => paths.has(at(name)))).map(([name]) => name);
  const wanted = present.length === 0 ? null : namedManager(await reader.read(at("package.json")));
  // A manager whose lockfile is not there is npm's to refuse: it knows whether anything must be installed at all.
  if (wanted !== null) return present.find((name) => name === wanted) ?? "npm";
  return present[0] ?? "npm";
}

/** The name in `packageManager`; null where there is none. What cannot be read is refused by the manager that gets it. */
function namedManager(manifest: Uint8Array | null): string | null {
  try {
    const json: unknown = JSON.parse(new TextDecoder().decode(manifest ?? new Uint8Array()));
    const named = isObject(json) ? json["packageManager"] : null;
    return typeof named === "string" ? (named.split("@")[0] ?? null) : null;
  } catch {
    return null;
  }
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
