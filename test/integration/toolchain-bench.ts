import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createEvidenceFiles } from "../../src/adapters/evidence/files/evidence-files.ts";
import { createBubblewrapSandbox } from "../../src/adapters/sandbox/bubblewrap/index.ts";
import { createHostToolchain } from "../../src/adapters/toolchain/host/host-toolchain.ts";
import { runTests, type RunTestsResult } from "../../src/app/gather/run-tests.ts";
import type { InstalledDependencies, ResolvedToolchain } from "../../src/ports/index.ts";
import { readerOf, writeTree, type BenchRun } from "./vitest-bench.ts";

const packageRoot = path.join(import.meta.dirname, "../..");

/** The real sandbox and toolchain, without dependencies: for runners that come with a program. */
export interface ToolchainBench {
  readonly toolchain: ResolvedToolchain;
  run(run: BenchRun): Promise<RunTestsResult>;
  close(): Promise<void>;
}

const nothingInstalled: InstalledDependencies = {
  facts: [],
  mounts: [],
  mountPoints: [],
  path: [],
  packageVersion: async () => null,
  resolveBin: async () => null,
  release: async () => undefined,
};

export interface ToolchainBenchOptions {
  readonly command: string;
  /** Range of the node that runs. */
  readonly node: string;
  readonly python?: boolean;
  readonly searchPath?: string;
}

/** Makes the bench once for a test file; each run gets a room of its own. */
export async function openToolchainBench(options: ToolchainBenchOptions): Promise<ToolchainBench> {
  const scratch = await mkdtemp(path.join(tmpdir(), "trueup-bench-"));
  const searchPath = options.searchPath ?? process.env["PATH"] ?? "";
  const sandbox = createBubblewrapSandbox({ scratchDirectory: path.join(scratch, "sandbox"), searchPath });
  const host = createHostToolchain({
    environment: { ...process.env, PATH: searchPath },
    cacheDirectory: path.join(scratch, "cache"),
    ownPackageRoot: packageRoot,
  });
  const wishes = { node: options.node, nodeVersionFile: null, packageManager: null, python: options.python ?? false };
  const toolchain = await host.resolve(wishes);
  const evidence = createEvidenceFiles({ scratchDirectory: path.join(scratch, "reports") });
  let serial = 0;
  return {
    toolchain,
    run: async ({ files, entry, signal }) => {
      serial += 1;
      const base = path.join(scratch, `tree-${serial}`);
      await writeTree(base, files);
      const room = await sandbox.openRoom({ base, deltas: [], mountPoints: [], bytes: 2 ** 26 });
      try {
        return await runTests({
          sandbox,
          evidence,
          room,
          toolchain,
          dependencies: nothingInstalled,
          purpose: "head",
          criterion: 0,
          reader: readerOf(files),
          entry: { command: options.command, ...entry },
          assertionsRequired: true,
          ...(signal === undefined ? {} : { signal }),
        });
      } finally {
        await room.close();
      }
    },
    close: () => rm(scratch, { recursive: true, force: true }),
  };
}
