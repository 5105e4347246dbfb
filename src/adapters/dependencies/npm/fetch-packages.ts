import { rm } from "node:fs/promises";
import { join } from "node:path";
import { TrueupError } from "../../../errors.ts";
import type { SandboxResult } from "../../../ports/index.ts";
import { openSocketDirectory } from "./build-directory.ts";
import { openFetchProxy, type FetchFailure, type FetchProxy } from "./fetch-proxy.ts";
import type { InstallPlan } from "./install-plan.ts";
import { registryPackages, tarballPath, type Lockfile } from "./lockfile.ts";
import { explainNpmFailure } from "./npm-failure.ts";
import { outputOf, runNpmCi, type NpmRun } from "./npm-room.ts";
import { readRegistryAddress } from "./registry-address.ts";
import { createRegistryClient, type WantedTarball } from "./registry-client.ts";

/** A registry and the token for it. */
export interface RegistryChoice {
  readonly url: string;
  readonly token?: string;
  /** Pauses between tries, in milliseconds. */
  readonly retryDelaysMs?: readonly number[];
}

/** Everything one fetch needs. */
export interface FetchRequest {
  readonly run: NpmRun;
  readonly plan: InstallPlan;
  readonly report: (message: string) => void;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A directory outside every repository. */
  readonly neutralDirectory: string;
  readonly registry: RegistryChoice | null;
}

/** Installs what the lockfile names into the build directory, scripts left for later. Throws the bootstrap errors. */
export async function fetchPackages(request: FetchRequest): Promise<void> {
  const { run, plan, environment, neutralDirectory } = request;
  const registry = request.registry ?? {
    url: await readRegistryAddress({ environment, toolchain: run.toolchain, neutralDirectory }),
  };
  const client = createRegistryClient({ ...registry, environment });
  const socketDirectory = await openSocketDirectory();
  const tarballs = tarballsOf(plan.lock);
  request.report(`installing from ${plan.lock.path}`);
  try {
    const proxy = await openFetchProxy({
      socketPath: join(socketDirectory, "registry.sock"),
      tarballs,
      fetchTarball: (wanted, signal) => client.fetchTarball(wanted, signal),
    });
    try {
      judge(request, proxy, await runNpmCi(run, socketDirectory, plan.settings.flags));
    } finally {
      await proxy.close();
    }
  } finally {
    await client.close();
    await rm(socketDirectory, { recursive: true, force: true });
  }
}

/** One package may be locked in several places; where their integrity differs npm still checks each against its own. */
function tarballsOf(lock: Lockfile): ReadonlyMap<string, WantedTarball> {
  const tarballs = new Map<string, WantedTarball>();
  for (const { name, version, integrity } of registryPackages(lock)) {
    const path = tarballPath(name, version ?? "");
    const known = tarballs.get(path)?.integrity;
    const both = known === undefined || known === integrity ? (integrity ?? "") : `${known} ${integrity ?? ""}`;
    tarballs.set(path, { name, version: version ?? "", integrity: both });
  }
  return tarballs;
}

/**
 * What the proxy saw goes before what npm says. npm leaves an optional package out when it cannot be had: that is right
 * for one that the registry does not have, and would freeze a hole into the store for one that failed on the way.
 */
function judge(request: FetchRequest, proxy: FetchProxy, result: SandboxResult): void {
  const { plan } = request;
  const succeeded = result.exit.code === 0 && result.exit.error === null;
  if (result.exit.error === "cancelled") throw new TrueupError("interrupted");
  const counted = proxy.failures.filter((failure) => !(succeeded && failure.answer.kind === "not-found"));
  const worst = ["integrity", "not-found", "unavailable"]
    .map((kind) => counted.find((each) => each.answer.kind === kind))
    .find((each) => each !== undefined);
  if (worst !== undefined) throw failureOf(worst);
  if (succeeded) return;
  const failure = explainNpmFailure({ exit: result.exit, output: outputOf(result), subject: plan.lock.path });
  const refused = proxy.refused[0];
  if (failure.code === "bootstrap-failed" && refused !== undefined) {
    throw new TrueupError("lockfile-out-of-step", {
      subject: plan.lock.path,
      detail: `npm asked for something that it does not name: ${refused}`,
    });
  }
  throw new TrueupError(failure.code, failure.more);
}

function failureOf({ wanted, answer }: FetchFailure): TrueupError {
  const more = { subject: `${wanted.name}@${wanted.version}`, detail: answer.detail };
  switch (answer.kind) {
    case "integrity":
      return new TrueupError("dependency-integrity", more);
    case "not-found":
      return new TrueupError("dependency-not-found", more);
    case "unavailable":
      return new TrueupError("bootstrap-failed", {
        ...more,
        hint: /certificate/iu.test(answer.detail)
          ? "Name the file of your network's certificate authority in NODE_EXTRA_CA_CERTS, and run the same command again."
          : "The registry could not be reached or did not answer. Check the network and the proxy (HTTPS_PROXY), and run the same command again.",
      });
  }
}
