import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createBubblewrapSandbox } from "../../src/adapters/sandbox/bubblewrap/index.ts";
import { createEvidenceFiles } from "../../src/adapters/evidence/files/evidence-files.ts";
import { createHostToolchain } from "../../src/adapters/toolchain/host/host-toolchain.ts";
import { runTests, type RunTestsRequest, type RunTestsResult } from "../../src/app/gather/run-tests.ts";
import type { InstalledDependencies, ResolvedToolchain, Sandbox, TreeReader } from "../../src/ports/index.ts";

const packageRoot = path.join(import.meta.dirname, "../..");
const caches = [".vite", ".vite-temp", ".vitest-cache"];

/** Files of a small repository by path, and what differs from a plain run. */
export interface BenchRun {
  readonly files: Readonly<Record<string, string>>;
  readonly entry?: Partial<RunTestsRequest["entry"]>;
  readonly assertionsRequired?: boolean;
  readonly signal?: AbortSignal;
}

/** The real sandbox, the real toolchain and this package's own vitest as a frozen store. */
export interface VitestBench {
  readonly sandbox: Sandbox;
  readonly toolchain: ResolvedToolchain;
  readonly dependencies: InstalledDependencies;
  openRoom(files: BenchRun["files"]): ReturnType<Sandbox["openRoom"]>;
  run(run: BenchRun): Promise<RunTestsResult>;
  close(): Promise<void>;
}

interface Manifest {
  readonly version: string;
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
}

async function readManifest(modules: string, name: string): Promise<Manifest | null> {
  const file = path.join(modules, name, "package.json");
  return readFile(file, "utf8").then(
    (text) => JSON.parse(text) as Manifest,
    () => null,
  );
}

/** Names of vitest and everything it needs, as they lie flat in a node_modules. */
async function packagesOf(modules: string, start: readonly string[]): Promise<readonly string[]> {
  const seen = new Set<string>();
  const waiting = [...start];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const manifest = seen.has(name) ? null : await readManifest(modules, name);
    if (manifest === null) continue;
    seen.add(name);
    const wanted = { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies };
    waiting.push(
      ...Object.keys(wanted).filter((each) => each === "vite" || !(each in (manifest.peerDependencies ?? {}))),
    );
  }
  return [...seen];
}

async function freezeStore(modules: string, directory: string): Promise<InstalledDependencies> {
  for (const name of await packagesOf(modules, ["vitest", "vite"])) {
    await cp(path.join(modules, name), path.join(directory, name), { recursive: true });
  }
  for (const cache of caches) await mkdir(path.join(directory, cache));
  const version = (await readManifest(modules, "vitest"))?.version ?? null;
  return {
    facts: [],
    mounts: [
      { kind: "read-only", source: directory, target: "/repo/node_modules" },
      ...caches.map((cache) => ({ kind: "tmpfs", target: `/repo/node_modules/${cache}`, bytes: 2 ** 26 }) as const),
    ],
    mountPoints: ["node_modules"],
    path: [],
    packageVersion: async (_cwd, name) => (name === "vitest" ? version : null),
    resolveBin: async (_cwd, bin) => (bin === "vitest" ? "/repo/node_modules/vitest/vitest.mjs" : null),
    release: async () => undefined,
  };
}

/** Writes files, with their directories. */
export async function writeTree(directory: string, files: BenchRun["files"]): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(directory, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** The files as a git tree would list them, in memory. */
export function readerOf(files: BenchRun["files"]): TreeReader {
  const entries = Object.entries(files).map(([name, text]) => ({
    path: name,
    mode: "100644",
    id: "0",
    size: text.length,
  }));
  const read = async (name: string): Promise<Uint8Array | null> =>
    name in files ? Buffer.from(files[name] ?? "") : null;
  return { tree: "0".repeat(40), entries, read };
}

/** Makes the bench once for a test file; each run gets a room of its own. `modules` is a flat node_modules with vitest. */
export async function openVitestBench(modules = path.join(packageRoot, "node_modules")): Promise<VitestBench> {
  const scratch = await mkdtemp(path.join(tmpdir(), "trueup-bench-"));
  const sandbox = createBubblewrapSandbox({
    scratchDirectory: path.join(scratch, "sandbox"),
    searchPath: process.env["PATH"] ?? "",
  });
  const host = createHostToolchain({
    environment: process.env,
    cacheDirectory: path.join(scratch, "cache"),
    ownPackageRoot: packageRoot,
  });
  const toolchain = await host.resolve({ node: ">=22.13", nodeVersionFile: null, packageManager: null });
  const dependencies = await freezeStore(modules, path.join(scratch, "store"));
  const evidence = createEvidenceFiles({ scratchDirectory: path.join(scratch, "reports") });
  let serial = 0;
  const openRoom = async (files: BenchRun["files"]): ReturnType<Sandbox["openRoom"]> => {
    serial += 1;
    const base = path.join(scratch, `tree-${serial}`);
    await writeTree(base, { "package.json": `{"name":"bench","type":"module"}`, ...files });
    return sandbox.openRoom({ base, deltas: [], mountPoints: dependencies.mountPoints, bytes: 2 ** 26 });
  };
  return {
    sandbox,
    toolchain,
    dependencies,
    openRoom,
    run: async (run) => {
      const room = await openRoom(run.files);
      try {
        const fixed = {
          sandbox,
          evidence,
          room,
          toolchain,
          dependencies,
          purpose: "head",
          criterion: 0,
        } as const;
        const entry = { command: "vitest run", ...run.entry };
        const signal = run.signal === undefined ? {} : { signal: run.signal };
        return await runTests({
          ...fixed,
          reader: readerOf(run.files),
          entry,
          assertionsRequired: run.assertionsRequired ?? true,
          ...signal,
        });
      } finally {
        await room.close();
      }
    },
    close: () => rm(scratch, { recursive: true, force: true }),
  };
}
