import { join } from "node:path";
import type { Dependencies, InstallRequest, Sandbox } from "../../../ports/index.ts";
import type { RegistryChoice } from "../shared/fetch-session.ts";
import { openFrozenStore, type FrozenStore } from "../shared/frozen-store.ts";
import type { InstallRun } from "../shared/install-room.ts";
import { openInstalled } from "../shared/installed.ts";
import { freezeEntry, type StoreEntry } from "../shared/store-entry.ts";
import { writeProject } from "./build-directory.ts";
import { fetchPackages } from "./fetch-packages.ts";
import { readPlans, type EmptyPlan, type InstallPlan } from "./install-plan.ts";
import { packagesWithScripts, runInstallScripts } from "./install-scripts.ts";
import { lockedVersions } from "./locked-versions.ts";

export interface NpmDependenciesOptions {
  /** Stores lie under `dependencies/`, owner-only. */
  readonly cacheDirectory: string;
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
export function createNpmDependencies(options: NpmDependenciesOptions): Dependencies {
  const store = join(options.cacheDirectory, "dependencies");
  return {
    async install(request) {
      const plans = await readPlans(request);
      request.onLocked?.(lockedVersions(plans));
      const roots = [];
      for (const plan of plans) {
        if (plan.lock === null) continue;
        const frozen = await openStore({ options, store, request, plan });
        roots.push({ root: plan.root, manager: "npm" as const, lockfile: plan.lock.path, key: plan.key, ...frozen });
      }
      const empty = plans.filter((plan): plan is EmptyPlan => plan.lock === null);
      return openInstalled(roots, empty, join(store, "leases"));
    },
  };
}

interface Installation {
  readonly options: NpmDependenciesOptions;
  readonly store: string;
  readonly request: InstallRequest;
  readonly plan: InstallPlan;
}

function openStore(work: Installation): Promise<FrozenStore> {
  const { store, request, plan } = work;
  const { signal, onProgress } = request;
  return openFrozenStore(
    {
      store,
      key: plan.key,
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onProgress }),
    },
    (place) => buildStore(work, place),
  );
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
  const access = {
    toolchain: request.toolchain,
    environment: options.environment,
    neutralDirectory: store,
    registry: options.registry ?? null,
  };
  await fetchPackages({ run, plan, report, access });
  const scripts = await runInstallScripts(run, plan, report);
  const members = [...plan.manifests.keys()].filter((member) => member !== "");
  return freezeEntry({ build, directory, members, facts: { key: plan.key, scripts } });
}
