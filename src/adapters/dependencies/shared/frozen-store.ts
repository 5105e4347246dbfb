import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Digest } from "../../../core/digest.ts";
import { TrueupError } from "../../../errors.ts";
import type { CacheHolds } from "../../../ports/index.ts";
import { acquireKeyLock } from "./key-lock.ts";
import { openBuildPlace } from "./build-place.ts";
import { readEntry, type StoreEntry } from "./store-entry.ts";

/** A frozen store, and where it lies. */
export interface FrozenStore {
  readonly entry: StoreEntry;
  readonly directory: string;
  /** Until then nobody removes it. */
  readonly release: () => Promise<void>;
}

export interface FrozenRequest {
  /** Holds every store of this machine. */
  readonly store: string;
  readonly holds: CacheHolds;
  readonly key: Digest;
  readonly signal?: AbortSignal;
  readonly onProgress?: (message: string) => void;
}

/**
 * The frozen store of a key: as it is, or built in a fresh build place by whichever process comes first. `build` freezes
 * its place into `directory`. Throws what it throws, and `disk-full`.
 */
export async function openFrozenStore(
  request: FrozenRequest,
  build: (place: { readonly build: string; readonly directory: string }) => Promise<StoreEntry>,
): Promise<FrozenStore> {
  const name = request.key.slice("sha256:".length);
  const release = await request.holds.hold("dependencies", name);
  try {
    return { ...(await findOrBuild(request, name, build)), release };
  } catch (error) {
    await release();
    throw error;
  }
}

async function findOrBuild(
  request: FrozenRequest,
  name: string,
  build: (place: { readonly build: string; readonly directory: string }) => Promise<StoreEntry>,
): Promise<Omit<FrozenStore, "release">> {
  const { store, key } = request;
  const directory = join(store, name);
  const found = await readEntry(directory, key);
  if (found !== null) return { entry: found, directory };
  await mkdir(store, { recursive: true, mode: 0o700 });
  const release = await acquireKeyLock(join(store, `${name}.lock`), {
    ...(request.signal === undefined ? {} : { signal: request.signal }),
    onWait: () => request.onProgress?.("another process installs the same dependencies: waiting for it"),
  });
  try {
    return { entry: (await readEntry(directory, key)) ?? (await buildIn(store, directory, build)), directory };
  } finally {
    await release();
  }
}

async function buildIn(
  store: string,
  directory: string,
  build: (place: { readonly build: string; readonly directory: string }) => Promise<StoreEntry>,
): Promise<StoreEntry> {
  let place: string | null = null;
  try {
    place = await openBuildPlace(store);
    return await build({ build: place, directory });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOSPC")
      throw new TrueupError("disk-full", { subject: store, cause: error });
    throw error;
  } finally {
    if (place !== null) await rm(place, { recursive: true, force: true });
  }
}
