import { join } from "node:path";
import type { CacheHolds, Dependencies, InstallRequest, Sandbox } from "../../../ports/index.ts";
import { TrueupError } from "../../../errors.ts";
import { unavailableHint, withRegistry, type RegistryAccess, type RegistryChoice } from "../shared/fetch-session.ts";
import { openFrozenStore, type FrozenStore } from "../shared/frozen-store.ts";
import type { InstallRun } from "../shared/install-room.ts";
import { openInstalled, openRoots } from "../shared/installed.ts";
import type { InstallDriver, PackageTools, PlannedInstall } from "../shared/install-driver.ts";
import { freezeEntry, type StoreEntry } from "../shared/store-entry.ts";
import { writeProject } from "./build-directory.ts";
import { fetchPackages } from "./fetch-packages.ts";
import { planTool, readPlans, toolKey, type EmptyPlan, type InstallPlan } from "./install-plan.ts";
import { packagesWithScripts, runInstallScripts } from "./install-scripts.ts";
import { lockedVersions } from "./locked-versions.ts";

export interface NpmDependenciesOptions {
  /** Stores lie under `dependencies/`, owner-only. */
  readonly cacheDirectory: string;
  readonly holds: CacheHolds;
  readonly sandbox: Sandbox;
  /** The executor's variables: proxies, npm's own settings. None of them enters the sandbox. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The registry to fetch from; what this machine's npm is configured for by default. */
  readonly registry?: RegistryChoice;
  /** Limit of each of npm's runs, in milliseconds. */
  readonly wallMs?: number;
}

const defaultWallMs = 900_000;

/** Installs npm packages from the committed lockfile through a door that serves only what it names, and freezes the result by key. */
export function createNpmDependencies(options: NpmDependenciesOptions): Dependencies & InstallDriver {
  const plan = (request: InstallRequest): Promise<PlannedInstall> => planNpm(options, request);
  return {
    plan,
    async install(request) {
      const planned = await plan(request);
      request.onLocked?.(planned.locked);
      return planned.install();
    },
  };
}

async function planNpm(options: NpmDependenciesOptions, request: InstallRequest): Promise<PlannedInstall> {
  const store = join(options.cacheDirectory, "dependencies");
  const plans = await readPlans(request);
  return {
    locked: lockedVersions(plans),
    async install() {
      const full = plans.filter((plan): plan is InstallPlan => plan.lock !== null);
      const roots = await openRoots(full, async (plan) => {
        const frozen = await openStore({ options, store, request, plan });
        return { root: plan.root, manager: "npm", lockfile: plan.lock.path, key: plan.key, ...frozen };
      });
      const empty = plans.filter((plan): plan is EmptyPlan => plan.lock === null);
      return openInstalled(roots, empty);
    },
  };
}

/** Programs from the registry, installed and frozen as one dependency each: for the managers that are packages themselves. */
export function createNpmTools(options: NpmDependenciesOptions): PackageTools {
  const store = join(options.cacheDirectory, "dependencies");
  return {
    async open({ name, version, integrity }, asked) {
      const request = { ...asked, reader: noTree, roots: [] };
      const key = toolKey({ name, version, integrity }, asked.toolchain);
      // Asked for only when it is not here yet: a frozen store needs no registry.
      const held = { store, key, holds: options.holds, ...pick(request) };
      const { directory } = await openFrozenStore(held, async (place) => {
        const known = integrity ?? (await askIntegrity({ options, store, request }, { name, version }));
        const plan = planTool({ name, version, integrity: known }, key);
        return buildStore({ options, store, request, plan }, place);
      });
      return join(directory, "tree", "node_modules", name);
    },
  };
}

const noTree = { tree: "", entries: [], read: () => Promise.resolve(null) };

async function askIntegrity(
  { options, store, request }: Omit<Installation, "plan">,
  published: { readonly name: string; readonly version: string },
): Promise<string> {
  const found = await withRegistry(accessOf({ options, store, request }), (client) =>
    client.findIntegrity(published, request.signal ?? new AbortController().signal),
  );
  if ("integrity" in found) return found.integrity;
  const detail = "detail" in found.answer ? found.answer.detail : "";
  throw new TrueupError(found.answer.kind === "not-found" ? "dependency-not-found" : "bootstrap-failed", {
    subject: `${published.name}@${published.version}`,
    detail,
    ...(found.answer.kind === "not-found" ? {} : { hint: unavailableHint(detail) }),
  });
}

interface Installation {
  readonly options: NpmDependenciesOptions;
  readonly store: string;
  readonly request: InstallRequest;
  readonly plan: InstallPlan;
}

function openStore(work: Installation): Promise<FrozenStore> {
  const { store, request, plan } = work;
  return openFrozenStore({ store, key: plan.key, holds: work.options.holds, ...pick(request) }, (place) =>
    buildStore(work, place),
  );
}

function pick({ signal, onProgress }: InstallRequest): Pick<InstallRequest, "signal" | "onProgress"> {
  return { ...(signal === undefined ? {} : { signal }), ...(onProgress === undefined ? {} : { onProgress }) };
}

async function buildStore(
  { options, store, request, plan }: Installation,
  { build, directory }: { readonly build: string; readonly directory: string },
): Promise<StoreEntry> {
  await writeProject(build, plan, plan.settings.ignoreScripts ? [] : packagesWithScripts(plan));
  const run: InstallRun = {
    sandbox: options.sandbox,
    toolchain: request.toolchain,
    build,
    wallMs: options.wallMs ?? defaultWallMs,
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  };
  const report = (message: string): void => request.onProgress?.(message);
  await fetchPackages({ run, plan, report, access: accessOf({ options, store, request }) });
  const scripts = await runInstallScripts(run, plan, report);
  const members = [...plan.manifests.keys()].filter((member) => member !== "");
  return freezeEntry({ build, directory, members, facts: { key: plan.key, scripts } });
}

function accessOf({ options, store, request }: Omit<Installation, "plan">): RegistryAccess {
  return {
    toolchain: request.toolchain,
    environment: options.environment,
    neutralDirectory: store,
    registry: options.registry ?? null,
  };
}
