import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { TrueupError } from "../../../errors.ts";
import type { Dependencies, InstallRequest, Sandbox } from "../../../ports/index.ts";
import { openBuildDirectory } from "./build-directory.ts";
import { fetchPackages, type RegistryChoice } from "./fetch-packages.ts";
import { readPlans, type EmptyPlan, type InstallPlan } from "./install-plan.ts";
import { packagesWithScripts, runInstallScripts } from "./install-scripts.ts";
import { openInstalled } from "./installed.ts";
import { acquireKeyLock } from "./key-lock.ts";
import { lockedVersions } from "./locked-versions.ts";
import type { NpmRun } from "./npm-room.ts";
import { freezeEntry, readEntry, type StoreEntry } from "./store-entry.ts";

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
        if (plan.lock !== null) roots.push({ plan, ...(await openEntry({ options, store, request, plan })) });
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

/** The frozen store of a plan: as it is, or built by whichever process comes first. */
async function openEntry(work: Installation): Promise<{ readonly entry: StoreEntry; readonly directory: string }> {
  const { store, request, plan } = work;
  const name = plan.key.slice("sha256:".length);
  const directory = join(store, name);
  const found = await readEntry(directory, plan.key);
  if (found !== null) return { entry: found, directory };
  await mkdir(store, { recursive: true, mode: 0o700 });
  const release = await acquireKeyLock(join(store, `${name}.lock`), {
    ...(request.signal === undefined ? {} : { signal: request.signal }),
    onWait: () => request.onProgress?.("another process installs the same dependencies: waiting for it"),
  });
  try {
    return { entry: (await readEntry(directory, plan.key)) ?? (await buildEntry(work, directory)), directory };
  } finally {
    await release();
  }
}

async function buildEntry(work: Installation, directory: string): Promise<StoreEntry> {
  const { options, store, request, plan } = work;
  let build: string | null = null;
  try {
    build = await openBuildDirectory(store, plan, plan.settings.ignoreScripts ? [] : packagesWithScripts(plan));
    const run: NpmRun = {
      sandbox: options.sandbox,
      toolchain: request.toolchain,
      build: { path: build },
      wallMs: options.wallMs ?? defaultWallMs,
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    };
    const report = (message: string): void => request.onProgress?.(message);
    await fetchPackages({
      run,
      plan,
      report,
      environment: options.environment,
      neutralDirectory: store,
      registry: options.registry ?? null,
    });
    const scripts = await runInstallScripts(run, plan, report);
    const members = [...plan.manifests.keys()].filter((member) => member !== "");
    return await freezeEntry({ build, directory, members, facts: { key: plan.key, scripts } });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOSPC")
      throw new TrueupError("disk-full", { subject: store, cause: error });
    throw error;
  } finally {
    if (build !== null) await rm(build, { recursive: true, force: true });
  }
}
