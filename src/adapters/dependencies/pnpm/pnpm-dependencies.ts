import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { TrueupError } from "../../../errors.ts";
import type {
  CacheHolds,
  InstalledDependencies,
  InstallRequest,
  LockedVersions,
  Sandbox,
} from "../../../ports/index.ts";
import { fetchThroughDoor, refuseFailures, tarballsOf, type RegistryChoice } from "../shared/fetch-session.ts";
import { openFrozenStore, type FrozenStore } from "../shared/frozen-store.ts";
import { outputOf, type InstallRun } from "../shared/install-room.ts";
import { inRoot, openInstalled, openRoots } from "../shared/installed.ts";
import type { InstallDriver, PackageTools } from "../shared/install-driver.ts";
import { freezeEntry, type StoreEntry } from "../shared/store-entry.ts";
import { explainPnpmFailure } from "./pnpm-failure.ts";
import { readPnpmPlan, type PnpmPlan } from "./pnpm-plan.ts";
import { openPnpmProgram, type PnpmProgram } from "./pnpm-program.ts";
import { launcherInside, pnpmMounts, runPnpmInstall, runPnpmRebuild } from "./pnpm-room.ts";

export interface PnpmDependenciesOptions {
  /** Stores lie under `dependencies/`, owner-only. */
  readonly cacheDirectory: string;
  readonly holds: CacheHolds;
  readonly sandbox: Sandbox;
  /** Where pnpm itself comes from. */
  readonly tools: PackageTools;
  /** The executor's variables: proxies, the registry's address. None of them enters the sandbox. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly registry?: RegistryChoice;
  /** Limit of each of pnpm's runs, in milliseconds. */
  readonly wallMs?: number;
}

const defaultWallMs = 900_000;

/** Installs with pnpm from the committed lockfile, through a door that serves only what it names, and freezes the result by key. */
export function createPnpmDependencies(options: PnpmDependenciesOptions): InstallDriver {
  const store = join(options.cacheDirectory, "dependencies");
  return {
    async plan(request) {
      const plans = await Promise.all(
        [...new Set(request.roots)].toSorted().map((root) => readPnpmPlan(request, root)),
      );
      return {
        locked: lockedVersions(plans),
        async install() {
          const programs: PnpmProgram[] = [];
          const roots = await openRoots(plans, async (plan) => {
            const pnpm = await openPnpm({ options, store, request, plan });
            programs.push(pnpm);
            const frozen = await openStore({ options, store, request, plan, pnpm });
            return { root: plan.root, manager: "pnpm", lockfile: plan.lock.path, key: plan.key, ...frozen };
          });
          return withPnpm(openInstalled(roots, []), programs[0]);
        },
      };
    },
  };
}

/** The locked version of a direct dependency, from `cwd` upwards. */
function lockedVersions(plans: readonly PnpmPlan[]): LockedVersions {
  const direct = new Map(
    plans.flatMap(({ root, lock }) =>
      [...lock.importers].map(([directory, versions]) => [inRoot(root, directory), versions] as const),
    ),
  );
  return (cwd, name) => {
    const parts = cwd.split("/").filter((part) => part !== "" && part !== ".");
    for (let depth = parts.length; depth >= 0; depth -= 1) {
      const version = direct.get(parts.slice(0, depth).join("/"))?.get(name);
      if (version !== undefined) return version;
    }
    return null;
  };
}

interface Wanted {
  readonly options: PnpmDependenciesOptions;
  readonly store: string;
  readonly request: InstallRequest;
  readonly plan: PnpmPlan;
}

interface Installation extends Wanted {
  readonly pnpm: PnpmProgram;
}

async function openPnpm({ options, store, request, plan }: Wanted): Promise<PnpmProgram> {
  const directory = await options.tools.open({ name: "pnpm", ...plan.pnpm }, request);
  return openPnpmProgram({ directory, launchers: join(store, "launchers") }, request.toolchain.nodeVersion);
}

/** Scripts of the repository call pnpm by its name: it is on their path, where it can reach nothing. */
function withPnpm(installed: InstalledDependencies, program: PnpmProgram | undefined): InstalledDependencies {
  if (program === undefined) return installed;
  return {
    ...installed,
    mounts: [...installed.mounts, ...pnpmMounts(program)],
    path: [...installed.path, launcherInside],
  };
}

function openStore(work: Installation): Promise<FrozenStore> {
  const { options, store, request, plan } = work;
  const { signal, onProgress } = request;
  return openFrozenStore(
    {
      store,
      key: plan.key,
      holds: options.holds,
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onProgress }),
    },
    (place) => buildStore(work, place),
  );
}

async function buildStore(
  { options, store, request, plan, pnpm }: Installation,
  { build, directory }: { readonly build: string; readonly directory: string },
): Promise<StoreEntry> {
  const { toolchain, signal } = request;
  request.onProgress?.(`installing from ${plan.lock.path} with pnpm ${plan.pnpm.version}`);
  await writeProject(build, plan);
  const run: InstallRun = {
    sandbox: options.sandbox,
    toolchain,
    build,
    wallMs: options.wallMs ?? defaultWallMs,
    mounts: pnpmMounts(pnpm),
    ...(signal === undefined ? {} : { signal }),
  };
  await fetchPackages({ options, store, request, plan }, run, pnpm.script);
  const scripts = await runScripts(plan, run, pnpm.script);
  const members = [...plan.manifests.keys()].filter((member) => member !== "");
  const facts = { key: plan.key, scripts, packages: plan.lock.packages.length };
  return freezeEntry({ build, directory, members, facts });
}

/** Writes what pnpm shall see of the repository, and nothing else. */
async function writeProject(build: string, plan: PnpmPlan): Promise<void> {
  const { lock, settings, manifests, patches } = plan;
  const files: readonly (readonly [string, string | Uint8Array | null])[] = [
    ...[...manifests].map(([directory, text]) => [join(directory, "package.json"), text] as const),
    ...patches,
    ["pnpm-lock.yaml", lock.text],
    ["pnpm-workspace.yaml", settings.workspace],
    [".npmrc", settings.npmrc],
  ];
  for (const [name, content] of files) {
    if (content === null) continue;
    const path = join(build, "project", name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}

async function fetchPackages({ options, store, request, plan }: Wanted, run: InstallRun, script: string) {
  const access = {
    toolchain: request.toolchain,
    environment: options.environment,
    neutralDirectory: store,
    registry: options.registry ?? null,
  };
  const { result, proxy } = await fetchThroughDoor(access, tarballsOf(plan.lock.packages), (socketDirectory) =>
    runPnpmInstall(run, script, socketDirectory),
  );
  const succeeded = result.exit.code === 0 && result.exit.error === null;
  if (result.exit.error === "cancelled") throw new TrueupError("interrupted");
  refuseFailures(proxy, succeeded);
  if (succeeded) return;
  const failure = explainPnpmFailure({ exit: result.exit, output: outputOf(result), subject: plan.lock.path });
  const refused = proxy.refused[0];
  if (failure.code !== "bootstrap-failed" || refused === undefined) throw failure;
  throw new TrueupError("lockfile-out-of-step", {
    subject: plan.lock.path,
    detail: `pnpm asked for something that it does not name: ${refused}`,
    hint: "Run `pnpm install` and commit the lockfile.",
  });
}

/** Which packages may build is the repository's own word at that version of pnpm; pnpm heeds it. */
async function runScripts(plan: PnpmPlan, run: InstallRun, script: string): Promise<StoreEntry["scripts"]> {
  if (plan.settings.ignoreScripts) return "skipped";
  const record = await readFile(join(run.build, "project/node_modules/.modules.yaml"), "utf8").catch(() => null);
  if (record === null)
    throw new TrueupError("bootstrap-failed", {
      subject: plan.lock.path,
      detail: "pnpm left no record of what it installed, so that its install scripts are not known",
    });
  if (!/"?pendingBuilds"?:\s*(?:\[\s*[^\]\s]|\n\s+-)/u.test(record)) return "none";
  const result = await runPnpmRebuild(run, script);
  if (result.exit.code === 0 && result.exit.error === null) return "run-without-network";
  const subject = "the install scripts";
  const failure = explainPnpmFailure({ exit: result.exit, output: outputOf(result), subject });
  if (failure.code !== "bootstrap-failed") throw failure;
  throw new TrueupError("bootstrap-failed", {
    subject,
    detail: failure.message,
    hint: "Install scripts run without network. A package that must download something cannot be installed yet; one that only builds needs its tools in /usr.",
  });
}
