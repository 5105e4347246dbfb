import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createCacheHolds } from "../../src/adapters/cache/files/cache-holds.ts";
import { createNpmDependencies } from "../../src/adapters/dependencies/npm/npm-dependencies.ts";
import { createEvidenceFiles } from "../../src/adapters/evidence/files/evidence-files.ts";
import { createBubblewrapSandbox } from "../../src/adapters/sandbox/bubblewrap/index.ts";
import { createHostToolchain } from "../../src/adapters/toolchain/host/host-toolchain.ts";
import { runTests, type RunTestsResult } from "../../src/app/gather/run-tests.ts";
import { readerOf, writeTree, type BenchRun } from "./vitest-bench.ts";

const packageRoot = path.join(import.meta.dirname, "../..");

/** The real sandbox and toolchain, and jest as `npm ci` installs it from a committed lockfile. */
export interface JestBench {
  run(run: BenchRun): Promise<RunTestsResult>;
  close(): Promise<void>;
}

/** The manifest and lockfile of a little repository that has nothing but this jest. */
export function jestManifests(version: string): Readonly<Record<string, string>> {
  return {
    "package.json": JSON.stringify({ name: "shop", devDependencies: { jest: version } }),
    "package-lock.json": readFileSync(path.join(packageRoot, `test/fixtures/locks/jest-${version}.json`), "utf8"),
  };
}

/** Makes the bench once for a test file; each run gets a room of its own. */
export async function openJestBench(version: string): Promise<JestBench> {
  const scratch = await mkdtemp(path.join(tmpdir(), "trueup-bench-"));
  const cacheDirectory = process.env["TRUEUP_CACHE"] ?? path.join(scratch, "cache");
  const searchPath = process.env["PATH"] ?? "";
  const sandbox = createBubblewrapSandbox({ scratchDirectory: path.join(scratch, "sandbox"), searchPath });
  const host = createHostToolchain({ environment: process.env, cacheDirectory, ownPackageRoot: packageRoot });
  const toolchain = await host.resolve({ node: ">=22.13", nodeVersionFile: null, packageManager: null });
  const evidence = createEvidenceFiles({ scratchDirectory: path.join(scratch, "reports") });
  const manifests = jestManifests(version);
  const dependencies = await createNpmDependencies({
    cacheDirectory,
    holds: createCacheHolds(cacheDirectory),
    sandbox,
    environment: process.env,
  }).install({
    reader: readerOf(manifests),
    roots: [""],
    toolchain,
  });
  let serial = 0;
  return {
    run: async ({ files, entry, assertionsRequired, signal }) => {
      serial += 1;
      const base = path.join(scratch, `tree-${serial}`);
      const tree = { ...manifests, ...files };
      await writeTree(base, tree);
      const room = await sandbox.openRoom({ base, deltas: [], mountPoints: dependencies.mountPoints, bytes: 2 ** 26 });
      try {
        const fixed = { sandbox, evidence, room, toolchain, dependencies, purpose: "head", criterion: 0 } as const;
        return await runTests({
          ...fixed,
          reader: readerOf(tree),
          entry: { command: "npx jest", ...entry },
          assertionsRequired: assertionsRequired ?? true,
          ...(signal === undefined ? {} : { signal }),
        });
      } finally {
        await room.close();
      }
    },
    close: async () => {
      await dependencies.release();
      await rm(scratch, { recursive: true, force: true });
    },
  };
}
