import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createCacheHolds } from "../../src/adapters/cache/files/cache-holds.ts";
import {
  createNpmDependencies,
  type NpmDependenciesOptions,
} from "../../src/adapters/dependencies/npm/npm-dependencies.ts";
import { createBubblewrapSandbox } from "../../src/adapters/sandbox/bubblewrap/index.ts";
import { createHostToolchain } from "../../src/adapters/toolchain/host/host-toolchain.ts";
import { TrueupError } from "../../src/errors.ts";
import type {
  Dependencies,
  InstalledDependencies,
  ResolvedToolchain,
  Sandbox,
  TreeReader,
} from "../../src/ports/index.ts";
import type { StubPackage, StubRegistry } from "./dependencies-stub-registry.ts";

/** The repository's root, which is our own package. */
export const packageRoot = path.resolve(import.meta.dirname, "../..");

/** A directory that goes away with the test. */
export interface Stage {
  readonly cache: string;
  readonly sandbox: Sandbox;
  readonly toolchain: ResolvedToolchain;
  dependencies(options?: Partial<NpmDependenciesOptions>): Dependencies;
  close(): Promise<void>;
}

/** Real sandbox and toolchain with an empty cache. The copies of node are shared by all stages of this machine. */
export async function openStage(): Promise<Stage> {
  const root = await mkdtemp(path.join(tmpdir(), "trueup-dependencies-"));
  const cache = path.join(root, "cache");
  const sandbox = createBubblewrapSandbox({
    scratchDirectory: path.join(root, "scratch"),
    searchPath: process.env["PATH"] ?? "",
  });
  const shared = process.env["TRUEUP_CACHE"] ?? cache;
  await mkdir(shared, { recursive: true });
  const toolchain = await createHostToolchain({
    environment: process.env,
    cacheDirectory: shared,
    ownPackageRoot: packageRoot,
  }).resolve({
    node: ">=22.12",
    nodeVersionFile: null,
    packageManager: null,
  });
  return {
    cache,
    sandbox,
    toolchain,
    dependencies: (options) =>
      createNpmDependencies({
        cacheDirectory: cache,
        holds: createCacheHolds(cache),
        sandbox,
        environment: process.env,
        ...options,
      }),
    close: () => rm(root, { recursive: true, force: true }),
  };
}

/** A tree of text files. */
export function treeOf(files: Readonly<Record<string, unknown>>): TreeReader {
  return {
    tree: "0".repeat(40),
    entries: [],
    async read(file) {
      if (!Object.hasOwn(files, file)) return null;
      const value = files[file];
      return new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
    },
  };
}

/** A manifest and a lockfile over published packages, each a direct dependency. `locked` adds to or replaces entries. */
export function repositoryOf(
  registry: StubRegistry,
  packages: readonly StubPackage[],
  more: { readonly locked?: Record<string, unknown>; readonly manifest?: Record<string, unknown> } = {},
): Record<string, unknown> {
  const dependencies = Object.fromEntries(packages.map((each) => [each.name, each.version]));
  const entries = packages.map((each) => {
    const bin = each.manifest?.["bin"];
    const entry = {
      version: each.version,
      integrity: registry.integrity(each.name),
      ...(bin === undefined ? {} : { bin }),
    };
    const scripts = each.manifest?.["scripts"] === undefined ? {} : { hasInstallScript: true };
    return [`node_modules/${each.name}`, { ...entry, ...scripts }] as const;
  });
  return {
    "package.json": { name: "repository", version: "1.0.0", dependencies, ...more.manifest },
    "package-lock.json": {
      name: "repository",
      version: "1.0.0",
      lockfileVersion: 3,
      requires: true,
      packages: {
        "": { name: "repository", version: "1.0.0", dependencies, ...more.manifest },
        ...Object.fromEntries(entries),
        ...more.locked,
      },
    },
  };
}

/** What a test may vary in one installation. */
export interface InstallOptions {
  readonly roots?: readonly string[];
  readonly signal?: AbortSignal;
  readonly token?: string;
}

/** Installs a tree from a stub registry, with two quick retries. */
export function installFrom(
  stage: Stage,
  registry: StubRegistry,
  tree: TreeReader,
): (options?: InstallOptions) => Promise<InstalledDependencies> {
  return ({ roots = [""], signal, token } = {}) => {
    const choice = { url: registry.url, retryDelaysMs: [1, 1], ...(token === undefined ? {} : { token }) };
    const request = { reader: tree, toolchain: stage.toolchain, roots, ...(signal === undefined ? {} : { signal }) };
    return stage.dependencies({ registry: choice }).install(request);
  };
}

/** The error that a piece of work ends in; anything but a `TrueupError` fails the test. */
export async function failureOf(work: Promise<unknown>): Promise<TrueupError> {
  const error: unknown = await work.then(
    () => new Error("it did not fail"),
    (reason: unknown) => reason,
  );
  if (error instanceof TrueupError) return error;
  throw error;
}

/** The dependency stores in the cache: nothing half built may be among them. */
export function leftovers(stage: Stage): Promise<readonly string[]> {
  return readdir(path.join(stage.cache, "dependencies")).catch(() => []);
}
