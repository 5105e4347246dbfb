// How long a second bootstrap with the same lockfile takes, against a plain `npm ci` with a warm cache of its own.
//
//   node bench/bootstrap.ts [DIRECTORY] [RUNS]
//
// DIRECTORY holds package.json and package-lock.json; the slug canary by default. Prints one JSON line; times are
// medians in milliseconds, `ratio` is the second bootstrap divided by `npm ci`.
import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { createCacheHolds } from "../src/adapters/cache/files/cache-holds.ts";
import { createNpmDependencies } from "../src/adapters/dependencies/npm/npm-dependencies.ts";
import { createBubblewrapSandbox } from "../src/adapters/sandbox/bubblewrap/index.ts";
import { createHostToolchain } from "../src/adapters/toolchain/host/host-toolchain.ts";
import type { TreeReader } from "../src/ports/index.ts";

const run = promisify(execFile);
const packageRoot = path.resolve(import.meta.dirname, "..");

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function medianOf(runs: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < runs; index += 1) times.push(await timed(work));
  return times.sort((a, b) => a - b)[Math.floor(runs / 2)] ?? Number.NaN;
}

/** `npm ci` in a directory of its own, its cache filled by a run that is not counted. */
async function benchNpmCi(directory: string, scratch: string, runs: number): Promise<number> {
  const project = path.join(scratch, "project");
  await mkdir(project);
  for (const name of ["package.json", "package-lock.json"]) {
    await copyFile(path.join(directory, name), path.join(project, name));
  }
  const flags = ["--no-audit", "--no-fund", "--ignore-scripts", `--cache=${path.join(scratch, "npm-cache")}`];
  const install = () => run("npm", ["ci", ...flags], { cwd: project });
  await install();
  return medianOf(runs, install);
}

async function benchBootstrap(
  directory: string,
  scratch: string,
  runs: number,
): Promise<{ first: number; second: number }> {
  const cacheDirectory = path.join(scratch, "cache");
  const environment = process.env;
  const host = createHostToolchain({ environment, cacheDirectory, ownPackageRoot: packageRoot });
  const wishes = { node: ">=22.12", nodeVersionFile: null, packageManager: null };
  const sandbox = createBubblewrapSandbox({
    scratchDirectory: path.join(scratch, "scratch"),
    searchPath: environment["PATH"] ?? "",
  });
  const reader: TreeReader = {
    tree: "0".repeat(40),
    entries: [],
    read: (file) => readFile(path.join(directory, file)).catch(() => null),
  };
  // Everything a delivery does anew is inside the measured part: the toolchain is resolved each time too.
  const bootstrap = async () => {
    const toolchain = await host.resolve(wishes);
    const dependencies = createNpmDependencies({
      cacheDirectory,
      holds: createCacheHolds(cacheDirectory),
      sandbox,
      environment,
    });
    const installed = await dependencies.install({ reader, toolchain, roots: [""] });
    await installed.release();
  };
  const first = await timed(bootstrap);
  return { first, second: await medianOf(runs, bootstrap) };
}

const [directory = path.join(packageRoot, "examples", "slug-canary"), runs = "5"] = process.argv.slice(2);
const scratch = await mkdtemp(path.join(tmpdir(), "trueup-bench-"));
try {
  const npmCi = await benchNpmCi(path.resolve(directory), scratch, Number(runs));
  const { first, second } = await benchBootstrap(path.resolve(directory), scratch, Number(runs));
  const figures = {
    npm_ci_ms: Math.round(npmCi),
    first_bootstrap_ms: Math.round(first),
    second_bootstrap_ms: Math.round(second),
  };
  process.stdout.write(
    `${JSON.stringify({ bench: "bootstrap", ...figures, ratio: Number((second / npmCi).toFixed(3)) })}\n`,
  );
} finally {
  await rm(scratch, { recursive: true, force: true });
}
