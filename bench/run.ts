import { execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { createUuidIds } from "../src/adapters/machine/node/uuid-ids.ts";
import { createSessionStore } from "../src/adapters/session-store/files/session-store.ts";

// What `trueup run` costs, in its published form, alternating with what it is compared with in one run on one machine:
// a start against `node -e 0` and against the least a Node wrapper can do, a tree of 5,000 files against an empty one,
// and 1 GiB through it against a plain Node pipe.
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "30" },
    files: { type: "string", default: "5000" },
    mebibytes: { type: "string", default: "1024" },
    "no-build": { type: "boolean", default: false },
  },
});
const rounds = Number(values.rounds);
const root = mkdtempSync(path.join(tmpdir(), "trueup-bench-run-"));
const house = path.dirname(import.meta.dirname);
const environment = {
  PATH: process.env["PATH"] ?? "",
  HOME: root,
  TRUEUP_STATE: path.join(root, "state"),
  TRUEUP_CACHE: path.join(root, "cache"),
};
const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;

/** The package as it is installed: no sources beside the program, so that it runs what was built. */
function install(): string {
  if (!values["no-build"])
    execFileSync(process.execPath, [path.join(house, "tools", "build.ts")], { stdio: "inherit" });
  const place = path.join(root, "package");
  for (const name of ["bin", "dist", "package.json"])
    cpSync(path.join(house, name), path.join(place, name), { recursive: true });
  symlinkSync(path.join(house, "node_modules"), path.join(place, "node_modules"));
  return path.join(place, "bin", "trueup.js");
}

async function openTree(name: string, files: number): Promise<string> {
  const tree = path.join(root, name);
  mkdirSync(path.join(tree, ".git"), { recursive: true });
  for (let index = 0; index < files; index++) {
    const directory = path.join(tree, `src/${index % 50}/${index % 10}`);
    if (index < 500) mkdirSync(directory, { recursive: true });
    writeFileSync(path.join(directory, `file-${index}.ts`), `export const value${index} = ${index};\n`.repeat(60));
  }
  const clock = { now: () => Date.now() };
  const base = { commit: "0".repeat(40), tree: "0".repeat(40), ref: "HEAD", source: "HEAD" };
  const store = createSessionStore({ state: environment.TRUEUP_STATE, clock, ids: createUuidIds(clock) });
  const pinned = { base, contract: null, contract_digest: null, policy: { failed_records: "retries" } } as const;
  await store.start({ ...pinned, work_tree: tree });
  return tree;
}

function timeOnce(args: readonly string[], cwd: string): number {
  const start = performance.now();
  const { status } = spawnSync(process.execPath, args, { cwd, env: environment, stdio: "ignore" });
  if (status !== 0) throw new Error(`${args.join(" ")} exited ${String(status)}`);
  return performance.now() - start;
}

/** Runs a program whose output another one swallows; milliseconds, and the most memory it held in MiB. */
async function timePiped(args: readonly string[], cwd: string): Promise<{ ms: number; mebibytes: number }> {
  const start = performance.now();
  const swallow = spawn("sh", ["-c", "exec cat >/dev/null"], { stdio: ["pipe", "ignore", "inherit"] });
  const child = spawn(process.execPath, args, { cwd, env: environment, stdio: ["ignore", swallow.stdin, "inherit"] });
  swallow.stdin.destroy();
  let kilobytes = 0;
  const timer = setInterval(() => {
    try {
      const text = readFileSync(`/proc/${child.pid ?? 0}/status`, "utf8");
      kilobytes = Math.max(kilobytes, Number(/VmHWM:\s+(\d+)/u.exec(text)?.[1] ?? 0));
    } catch {
      // It has ended between two looks.
    }
  }, 20);
  const code = await new Promise((resolve) => child.on("close", resolve));
  clearInterval(timer);
  if (code !== 0) throw new Error(`${args.join(" ")} exited ${String(code)}`);
  return { ms: performance.now() - start, mebibytes: kilobytes / 1024 };
}

try {
  // As `trueup start` leaves it; compiled code is kept there.
  mkdirSync(environment.TRUEUP_CACHE, { mode: 0o700 });
  const program = install();
  const [empty, full] = [await openTree("empty", 0), await openTree("full", Number(values.files))];
  const least = path.join(root, "least.mjs");
  writeFileSync(
    least,
    `import { spawn } from "node:child_process";
const child = spawn("true", [], { stdio: ["inherit", "pipe", "pipe"] });
for (const stream of [child.stdout, child.stderr]) stream.on("data", () => {});
child.on("exit", (code) => { process.exitCode = code; });`,
  );
  const run = [program, "run", "--", "true"];
  const kinds = { node: ["-e", "0"], least: [least], empty: run, full: run };
  const times: Record<keyof typeof kinds, number[]> = { node: [], least: [], empty: [], full: [] };
  const names = Object.keys(kinds) as (keyof typeof kinds)[];
  // Warm: the code is compiled, the tree is known. Its files must be older than the cache's doubt.
  await new Promise((resolve) => setTimeout(resolve, 2500));
  for (const name of names)
    for (let index = 0; index < 3; index++) timeOnce(kinds[name], name === "full" ? full : empty);
  for (let round = 0; round < rounds; round++)
    for (const name of names) times[name].push(timeOnce(kinds[name], name === "full" ? full : empty));
  const [node, bare, one, many] = names.map((name) => median(times[name])) as [number, number, number, number];
  const shortest = Math.min(...times.empty) / Math.min(...times.node);

  const bytes = Number(values.mebibytes) * 2 ** 20;
  const source = ["sh", "-c", `yes "2026-01-01T00:00:00Z info request 4711 took 12 ms" | head -c ${bytes}`];
  const pipe = path.join(root, "pipe.mjs");
  writeFileSync(
    pipe,
    `import { spawn } from "node:child_process";
const child = spawn(${JSON.stringify(source[0])}, ${JSON.stringify(source.slice(1))}, { stdio: ["inherit", "pipe", "inherit"] });
child.stdout.pipe(process.stdout);`,
  );
  const streams = { plain: [] as { ms: number; mebibytes: number }[], ours: [] as { ms: number; mebibytes: number }[] };
  for (let round = 0; round < 3; round++) {
    streams.plain.push(await timePiped([pipe], empty));
    streams.ours.push(await timePiped([program, "run", "--", ...source], empty));
  }
  const [plainMs, oursMs] = [median(streams.plain.map(({ ms }) => ms)), median(streams.ours.map(({ ms }) => ms))];
  const most = (all: readonly { mebibytes: number }[]): number => Math.max(...all.map(({ mebibytes }) => mebibytes));
  process.stdout.write(
    [
      `medians of ${rounds} rounds`,
      `node -e 0                        ${node.toFixed(1)} ms`,
      `the least wrapper (spawn, pipes) ${bare.toFixed(1)} ms   ratio ${(bare / node).toFixed(2)}`,
      `trueup run -- true               ${one.toFixed(1)} ms   ratio ${(one / node).toFixed(2)} (shortest of each: ${shortest.toFixed(2)})`,
      `the same in ${values.files} files       ${many.toFixed(1)} ms   ${(many - one).toFixed(1)} ms more`,
      `${values.mebibytes} MiB, a plain Node pipe     ${plainMs.toFixed(0)} ms   ${most(streams.plain).toFixed(0)} MiB`,
      `${values.mebibytes} MiB, trueup run            ${oursMs.toFixed(0)} ms   ${most(streams.ours).toFixed(0)} MiB   ratio ${(oursMs / plainMs).toFixed(2)}, ${(most(streams.ours) - most(streams.plain)).toFixed(0)} MiB more`,
      "",
    ].join("\n"),
  );
} finally {
  rmSync(root, { recursive: true, force: true });
}
