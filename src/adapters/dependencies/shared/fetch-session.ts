import { rm } from "node:fs/promises";
import { join } from "node:path";
import { TrueupError } from "../../../errors.ts";
import type { ResolvedToolchain, SandboxResult } from "../../../ports/index.ts";
import { openSocketDirectory } from "./build-place.ts";
import { openFetchProxy, type FetchFailure, type FetchProxy } from "./fetch-proxy.ts";
import { readRegistryAddress } from "./registry-address.ts";
import { createRegistryClient, type RegistryClient, type WantedTarball } from "./registry-client.ts";
import { tarballPath } from "./tarball-path.ts";

/** A registry and the token for it. */
export interface RegistryChoice {
  readonly url: string;
  readonly token?: string;
  /** Pauses between tries, in milliseconds. */
  readonly retryDelaysMs?: readonly number[];
}

/** How the executor reaches the registry. */
export interface RegistryAccess {
  readonly toolchain: ResolvedToolchain;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A directory outside every repository. */
  readonly neutralDirectory: string;
  readonly registry: RegistryChoice | null;
}

/** Opens a client of the registry that this machine is configured for, for the time of `use`. */
export async function withRegistry<T>(access: RegistryAccess, use: (client: RegistryClient) => Promise<T>): Promise<T> {
  const { environment, toolchain, neutralDirectory } = access;
  const registry = access.registry ?? {
    url: await readRegistryAddress({ environment, toolchain, neutralDirectory }),
  };
  const client = createRegistryClient({ ...registry, environment });
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

/** Serves the wanted tarballs, and nothing else, on a socket in a directory of its own while `fetch` runs. */
export async function fetchThroughDoor(
  access: RegistryAccess,
  tarballs: ReadonlyMap<string, WantedTarball>,
  fetch: (socketDirectory: string) => Promise<SandboxResult>,
): Promise<{ readonly result: SandboxResult; readonly proxy: FetchProxy }> {
  return withRegistry(access, async (client) => {
    const socketDirectory = await openSocketDirectory();
    try {
      const proxy = await openFetchProxy({
        socketPath: join(socketDirectory, "registry.sock"),
        tarballs,
        fetchTarball: (wanted, signal) => client.fetchTarball(wanted, signal),
      });
      try {
        return { result: await fetch(socketDirectory), proxy };
      } finally {
        await proxy.close();
      }
    } finally {
      await rm(socketDirectory, { recursive: true, force: true });
    }
  });
}

/** By path. One package may be locked in several places; where their integrity differs each place is still checked against its own. */
export function tarballsOf(
  packages: readonly { readonly name: string; readonly version: string | null; readonly integrity: string | null }[],
): ReadonlyMap<string, WantedTarball> {
  const tarballs = new Map<string, WantedTarball>();
  for (const { name, version, integrity } of packages) {
    const path = tarballPath(name, version ?? "");
    const known = tarballs.get(path)?.integrity ?? null;
    const both = known === null || known === integrity ? integrity : `${known} ${integrity ?? ""}`;
    const wanted = { name, version: version ?? "", integrity: both };
    tarballs.set(path, wanted);
    // Some managers ask for a scoped package with its slash escaped.
    if (name.includes("/")) tarballs.set(tarballPath(name, version ?? "", "%2f"), wanted);
  }
  return tarballs;
}

/**
 * Throws for what the door saw, which goes before what the manager says. A manager leaves an optional package out when it
 * cannot be had: that is right for one that the registry does not have, and would freeze a hole into the store for one that
 * failed on the way.
 */
export function refuseFailures({ failures }: FetchProxy, succeeded: boolean): void {
  const counted = failures.filter((failure) => !(succeeded && failure.answer.kind === "not-found"));
  const worst = ["integrity", "not-found", "unavailable"]
    .map((kind) => counted.find((each) => each.answer.kind === kind))
    .find((each) => each !== undefined);
  if (worst !== undefined) throw failureOf(worst);
}

function failureOf({ wanted, answer }: FetchFailure): TrueupError {
  const more = { subject: `${wanted.name}@${wanted.version}`, detail: answer.detail };
  switch (answer.kind) {
    case "integrity":
      return new TrueupError("dependency-integrity", more);
    case "not-found":
      return new TrueupError("dependency-not-found", more);
    case "unavailable":
      return new TrueupError("bootstrap-failed", { ...more, hint: unavailableHint(answer.detail) });
  }
}

/** What to do when a registry does not answer. */
export function unavailableHint(detail: string): string {
  return /certificate/iu.test(detail)
    ? "Name the file of your network's certificate authority in NODE_EXTRA_CA_CERTS, and run the same command again."
    : "The registry could not be reached or did not answer. Check the network and the proxy (HTTPS_PROXY), and run the same command again.";
}
