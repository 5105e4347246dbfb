import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { TrueupError } from "../../../errors.ts";
import type { CacheHolds, InstallRequest, LockedVersions, Sandbox, SandboxResult } from "../../../ports/index.ts";
import { fetchThroughDoor, refuseFailures, tarballsOf, type RegistryChoice } from "../shared/fetch-session.ts";
import { openFrozenStore, type FrozenStore } from "../shared/frozen-store.ts";
import {
  homeInside,
  outputOf,
  proxyOrigin,
  runThroughDoor,
  runWithoutNetwork,
  type InstallRun,
} from "../shared/install-room.ts";
import { inRoot, openInstalled, openRoots } from "../shared/installed.ts";
import type { InstallDriver, PackageTools } from "../shared/install-driver.ts";
import { openInstallerProgram, type InstallerProgram } from "../shared/installer-program.ts";
import { freezeEntry, type StoreEntry } from "../shared/store-entry.ts";
import { checkArchives } from "./check-archives.ts";
import { explainYarnFailure } from "./yarn-failure.ts";
import { readYarnPlan, renderYarnManifest, type YarnPlan } from "./yarn-plan.ts";

export interface YarnDependenciesOptions {
  /** Stores lie under `dependencies/`, owner-only. */
  readonly cacheDirectory: string;
  readonly holds: CacheHolds;
  readonly sandbox: Sandbox;
  /** Where yarn itself comes from. */
  readonly tools: PackageTools;
  /** The executor's variables: proxies, the registry's address. None of them enters the sandbox. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly registry?: RegistryChoice;
  /** Limit of each of yarn's runs, in milliseconds. */
  readonly wallMs?: number;
}

const defaultWallMs = 900_000;

/** Installs with yarn 1, 3 or 4 from the committed lockfile, through a door that serves only what it names, and freezes the result by key. */
export function createYarnDependencies(options: YarnDependenciesOptions): InstallDriver {
  const store = join(options.cacheDirectory, "dependencies");
  return {
    async plan(request) {
      const plans = await Promise.all(
        [...new Set(request.roots)].toSorted().map((root) => readYarnPlan(request, root)),
      );
      return {
        locked: lockedVersions(plans),
        async install() {
          const programs: InstallerProgram[] = [];
          const roots = await openRoots(plans, async (plan) => {
            const yarn = await openYarn({ options, store, request, plan });
            programs.push(yarn);
            const frozen = await openStore({ options, store, request, plan, yarn });
            return { root: plan.root, manager: "yarn", lockfile: plan.lock.path, key: plan.key, ...frozen };
          });
          const installed = openInstalled(roots, []);
          const [first] = programs;
          if (first === undefined) return installed;
          return {
            ...installed,
            mounts: [...installed.mounts, ...first.mounts],
            path: [...installed.path, first.path],
          };
        },
      };
    },
  };
}

/** The locked version of a direct dependency, from `cwd` upwards. */
function lockedVersions(plans: readonly YarnPlan[]): LockedVersions {
  const direct = new Map(
    plans.flatMap(({ root, lock, manifests }) =>
      [...manifests].map(([directory, manifest]) => [inRoot(root, directory), { manifest, lock }] as const),
    ),
  );
  return (cwd, name) => {
    const parts = cwd.split("/").filter((part) => part !== "" && part !== ".");
    for (let depth = parts.length; depth >= 0; depth -= 1) {
      const found = direct.get(parts.slice(0, depth).join("/"));
      const spec = [found?.manifest.development, found?.manifest.production, found?.manifest.optional]
        .map((specs) => specs?.get(name))
        .find((each) => each !== undefined);
      if (found === undefined || spec === undefined) continue;
      return found.lock.resolved.get(`${name}@${spec}`) ?? found.lock.resolved.get(`${name}@npm:${spec}`) ?? null;
    }
    return null;
  };
}

interface Wanted {
  readonly options: YarnDependenciesOptions;
  readonly store: string;
  readonly request: InstallRequest;
  readonly plan: YarnPlan;
}

interface Installation extends Wanted {
  readonly yarn: InstallerProgram;
}

async function openYarn({ options, store, request, plan }: Wanted): Promise<InstallerProgram> {
  const directory = await options.tools.open({ ...plan.yarn, integrity: null }, request);
  return openInstallerProgram({
    name: "yarn",
    version: plan.yarn.version,
    directory,
    launchers: join(store, "launchers"),
    runs: { file: "bin/yarn.js", node: request.toolchain.node },
    settings:
      plan.lock.format === "classic"
        ? {}
        : { YARN_IGNORE_PATH: "1", YARN_ENABLE_TELEMETRY: "0", YARN_ENABLE_NETWORK: "0" },
  });
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
  work: Installation,
  { build, directory }: { readonly build: string; readonly directory: string },
): Promise<StoreEntry> {
  const { options, request, plan, yarn } = work;
  request.onProgress?.(`installing from ${plan.lock.path} with yarn ${plan.yarn.version}`);
  await writeProject(build, plan);
  const run: InstallRun = {
    sandbox: options.sandbox,
    toolchain: request.toolchain,
    build,
    wallMs: options.wallMs ?? defaultWallMs,
    mounts: yarn.mounts,
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  };
  await fetchPackages(work, run);
  if (plan.lock.format === "berry") await checkArchives(plan.lock, join(build, "home", "cache"));
  const scripts = await runScripts(work, run);
  const members = [...plan.manifests.keys()].filter((member) => member !== "");
  const facts = { key: plan.key, scripts, packages: plan.lock.packages.length };
  return freezeEntry({ build, directory, members, facts });
}

/** Writes what yarn shall see of the repository, and nothing else. */
async function writeProject(build: string, plan: YarnPlan): Promise<void> {
  const files: readonly (readonly [string, string | Uint8Array])[] = [
    ...[...plan.manifests].map(
      ([member, manifest]) => [join(member, "package.json"), renderYarnManifest(manifest)] as const,
    ),
    ...plan.patches,
    ["yarn.lock", plan.lock.text],
    ...(plan.settings === null ? [] : [[".yarnrc.yml", plan.settings.text] as const]),
  ];
  for (const [name, content] of files) {
    const path = join(build, "project", name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}

const classicFlags = [
  "--frozen-lockfile",
  "--non-interactive",
  "--no-progress",
  "--no-default-rc",
  `--cache-folder=${homeInside}/cache`,
  `--registry=${proxyOrigin}/`,
];

/** What a version does not know it refuses. */
function berrySettings({ yarn }: YarnPlan): Readonly<Record<string, string>> {
  const own = { YARN_IGNORE_PATH: "1" };
  return yarn.version.startsWith("3.") ? own : { ...own, YARN_ENABLE_HARDENED_MODE: "0" };
}

async function fetchPackages({ options, store, request, plan, yarn }: Installation, run: InstallRun): Promise<void> {
  const access = {
    toolchain: request.toolchain,
    environment: options.environment,
    neutralDirectory: store,
    registry: options.registry ?? null,
  };
  const classic = plan.lock.format === "classic";
  const argv = classic
    ? [...yarn.argv, "install", "--ignore-scripts", ...classicFlags]
    : [...yarn.argv, "install", "--immutable", "--mode=skip-build"];
  const env = classic ? {} : { ...berrySettings(plan), YARN_ENABLE_SCRIPTS: "0" };
  const { result, proxy } = await fetchThroughDoor(access, tarballsOf(plan.lock.packages), (socketDirectory) =>
    runThroughDoor({ ...run, env }, socketDirectory, argv),
  );
  if (result.exit.error === "cancelled") throw new TrueupError("interrupted");
  const succeeded = isSuccess(result);
  refuseFailures(proxy, succeeded);
  if (succeeded) return;
  const failure = explainYarnFailure({ exit: result.exit, output: outputOf(result), subject: plan.lock.path });
  const refused = proxy.refused[0];
  if (failure.code !== "bootstrap-failed" || refused === undefined) throw failure;
  throw new TrueupError("lockfile-out-of-step", {
    subject: plan.lock.path,
    detail: `yarn asked for something that it does not name: ${refused}`,
    hint: "Run `yarn install` and commit the lockfile.",
  });
}

function isSuccess({ exit }: SandboxResult): boolean {
  return exit.code === 0 && exit.error === null;
}

/** Yarn runs what the packages bring, from its own cache and without any network. */
async function runScripts({ plan, yarn }: Installation, run: InstallRun): Promise<StoreEntry["scripts"]> {
  if (plan.ignoreScripts) return "skipped";
  const classic = plan.lock.format === "classic";
  if (classic && !(await hasScripts(join(run.build, "project", "node_modules")))) return "none";
  const result = classic
    ? await runWithoutNetwork(run, [...yarn.argv, "install", "--offline", "--force", ...classicFlags])
    : await runWithoutNetwork(
        { ...run, env: { ...berrySettings(plan), YARN_ENABLE_SCRIPTS: "1", YARN_ENABLE_NETWORK: "0" } },
        [...yarn.argv, "install", "--immutable", "--inline-builds"],
      );
  const output = outputOf(result);
  if (isSuccess(result)) return classic || /\bYN0007\b|must be built/u.test(output) ? "run-without-network" : "none";
  const failure = explainYarnFailure({ exit: result.exit, output, subject: "the install scripts" });
  if (failure.code !== "bootstrap-failed") throw failure;
  throw new TrueupError("bootstrap-failed", {
    subject: "the install scripts",
    detail: failure.detail ?? "",
    hint: "Install scripts run without network. A package that must download something cannot be installed yet; one that only builds needs its tools in /usr.",
  });
}

/** Whether a package below a `node_modules` has a script of its installation. */
async function hasScripts(modules: string): Promise<boolean> {
  for (const name of await readdir(modules).catch(() => [])) {
    if (name.startsWith(".")) continue;
    const place = join(modules, name);
    if (name.startsWith("@") ? await hasScripts(place) : await hasScript(place)) return true;
  }
  return false;
}

async function hasScript(place: string): Promise<boolean> {
  const text = await readFile(join(place, "package.json"), "utf8").catch(() => "");
  if (/"(?:pre|post)?install"\s*:/u.test(text)) return true;
  const files: readonly string[] = await readdir(place).catch(() => []);
  return files.includes("binding.gyp") || hasScripts(join(place, "node_modules"));
}
