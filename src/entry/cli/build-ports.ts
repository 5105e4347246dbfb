import path from "node:path";
import { fileURLToPath } from "node:url";
import type { CheckPorts } from "../../app/check/check-work.ts";
import type { DeliverPorts } from "../../app/deliver/delivery.ts";
import type { PreflightPorts } from "../../app/preflight/preflight.ts";
import type { GatherPorts } from "../../app/gather/gather-facts.ts";
import type { AgentSpec } from "../../adapters/agent/shared/parse-agent-spec.ts";
import { createCacheHolds } from "../../adapters/cache/files/cache-holds.ts";
import { createSystemClock } from "../../adapters/machine/node/clock.ts";
import { createUuidIds } from "../../adapters/machine/node/uuid-ids.ts";
import type { Places } from "../../core/config/places.ts";
import type { NpmDependenciesOptions } from "../../adapters/dependencies/npm/npm-dependencies.ts";
import type { Agent, CacheKeeper, Dependencies, Forge, HeldOutStore, Progress, Sandbox } from "../../ports/index.ts";
import { createGit } from "./create-git.ts";
import { createSignatures } from "./create-signatures.ts";
import { packageRoot } from "./package-version.ts";
import { openPlaces } from "./places.ts";
import { createProgressLines } from "./progress-lines.ts";
import { createRenderers } from "./renderers.ts";
import type { Terminal } from "./terminal.ts";

export { createGit } from "./create-git.ts";
export { createSignatures } from "./create-signatures.ts";

const roomBytes = 4 * 2 ** 30;

/** The sandbox of this machine. */
export async function createSandbox(terminal: Terminal): Promise<Sandbox> {
  const { createBubblewrapSandbox } = await import("../../adapters/sandbox/bubblewrap/index.ts");
  const places = await openPlaces(terminal);
  return createBubblewrapSandbox({
    scratchDirectory: path.join(places.state, "scratch"),
    searchPath: terminal.env["PATH"] ?? "",
  });
}

/** The cache of this machine, for those who look after its size. */
export async function createKeeper(terminal: Terminal): Promise<CacheKeeper> {
  const { createCacheKeeper } = await import("../../adapters/cache/files/cache-keeper.ts");
  return createCacheKeeper((await openPlaces(terminal)).cache);
}

/** The ports of `trueup check`. */
export async function createCheckPorts(terminal: Terminal, options: { readonly quiet: boolean }): Promise<CheckPorts> {
  const progress = createProgressLines(terminal, { quiet: options.quiet, now: () => performance.now() });
  return {
    ...(await createGatherPorts(terminal, progress)),
    git: await createGit(terminal),
    renderers: createRenderers(),
  };
}

/** The ports of `trueup preflight`. */
export async function createPreflightPorts(
  terminal: Terminal,
  options: { readonly quiet: boolean },
): Promise<PreflightPorts> {
  const progress = createProgressLines(terminal, { quiet: options.quiet, now: () => performance.now() });
  return { ...(await createGatherPorts(terminal, progress)), git: await createGit(terminal) };
}

/** The ports of `trueup deliver`. */
export async function createDeliverPorts(
  terminal: Terminal,
  options: { readonly quiet: boolean; readonly agent: AgentSpec; readonly url: string },
): Promise<DeliverPorts> {
  const { createAttemptStore } = await import("../../adapters/store/files/attempt-store.ts");
  const clock = createSystemClock();
  const places = await openPlaces(terminal);
  return {
    ...(await createCheckPorts(terminal, options)),
    attempts: createAttemptStore({ state: places.state, clock, ids: createUuidIds(clock) }),
    clock,
    agent: await createAgent(options.agent),
    forge: await createForge(options.url),
  };
}

async function createGatherPorts(terminal: Terminal, progress: Progress): Promise<GatherPorts> {
  const places = await openPlaces(terminal);
  const sandbox = await createSandbox(terminal);
  const { createHostToolchain } = await import("../../adapters/toolchain/host/host-toolchain.ts");
  const { createEvidenceFiles } = await import("../../adapters/evidence/files/evidence-files.ts");
  const { createJsonCache } = await import("../../adapters/cache/files/json-cache.ts");
  const environment = terminal.env;
  const holds = createCacheHolds(places.cache);
  return {
    sandbox,
    progress,
    evidence: createEvidenceFiles({ scratchDirectory: path.join(places.state, "scratch") }),
    workspaces: await createWorkspaces(places, sandbox),
    toolchain: createHostToolchain({ environment, cacheDirectory: places.cache, holds, ownPackageRoot: packageRoot() }),
    dependencies: await createDependencies({ environment, cacheDirectory: places.cache, holds, sandbox }),
    cache: createJsonCache(places.cache),
    heldOut: await createHeldOutStore(terminal),
    signatures: await createSignatures(terminal),
    clock: createSystemClock(),
    ids: createUuidIds(createSystemClock()),
  };
}

async function createDependencies(options: NpmDependenciesOptions): Promise<Dependencies> {
  const { createNpmDependencies, createNpmTools } = await import("../../adapters/dependencies/npm/npm-dependencies.ts");
  const { createPnpmDependencies } = await import("../../adapters/dependencies/pnpm/pnpm-dependencies.ts");
  const { createDependenciesByLockfile } =
    await import("../../adapters/dependencies/by-lockfile/dependencies-by-lockfile.ts");
  const { createYarnDependencies } = await import("../../adapters/dependencies/yarn/yarn-dependencies.ts");
  const tools = createNpmTools(options);
  return createDependenciesByLockfile({
    npm: createNpmDependencies(options),
    pnpm: createPnpmDependencies({ ...options, tools }),
    yarn: createYarnDependencies({ ...options, tools }),
  });
}

/** Held-out tests of this machine. */
export async function createHeldOutStore(terminal: Terminal): Promise<HeldOutStore> {
  const { createHeldOutFiles } = await import("../../adapters/held-out/files/held-out-files.ts");
  return createHeldOutFiles(path.join((await openPlaces(terminal)).state, "held-out"));
}

async function createWorkspaces(places: Places, sandbox: Sandbox) {
  const { createLayeredWorkspaces } = await import("../../adapters/workspaces/layers/layered-workspaces.ts");
  return createLayeredWorkspaces({
    cacheDirectory: places.cache,
    scratchDirectory: path.join(places.state, "rooms"),
    holds: createCacheHolds(places.cache),
    sandbox,
    roomBytes,
  });
}

async function createAgent(spec: AgentSpec): Promise<Agent> {
  if (spec.driver === "command") {
    const { createCommandAgent } = await import("../../adapters/agent/command/command-agent.ts");
    return createCommandAgent({ argv: spec.argv });
  }
  const { createScriptedAgent } = await import("../../adapters/agent/scripted/scripted-agent.ts");
  return createScriptedAgent({ script: spec.script });
}

/** The local forge for a repository on this machine; a remote elsewhere gets a branch only, until its forge is built. */
async function createForge(url: string): Promise<Forge | null> {
  const repository = /^file:\/\//iu.test(url) ? fileURLToPath(url) : url;
  if (!path.isAbsolute(repository)) return null;
  const { createLocalForge } = await import("../../adapters/forge/local/local-forge.ts");
  return createLocalForge({ repository, account: "trueup" });
}
