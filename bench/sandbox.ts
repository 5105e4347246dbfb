// What the sandbox adds to a start: `true` in it against `true` in bare bubblewrap, turn by turn in one run.
//
//   node bench/sandbox.ts [ROUNDS]
//
// Prints one JSON line; medians in milliseconds. Bare is `bwrap --ro-bind / / true`, which isolates nothing that matters.
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createBubblewrapSandbox } from "../src/adapters/sandbox/bubblewrap/index.ts";

const rounds = Number(process.argv[2] ?? "30");
const scratch = await mkdtemp(path.join(tmpdir(), "trueup-bench-sandbox-"));
const sandbox = createBubblewrapSandbox({
  scratchDirectory: path.join(scratch, "scratch"),
  searchPath: process.env["PATH"] ?? "",
});
const limits = { wall_ms: 60_000, idle_ms: null, memory_bytes: 1_073_741_824, pids: 256, output_bytes: 16_777_216 };

async function bare(): Promise<void> {
  const child = spawn("bwrap", ["--ro-bind", "/", "/", "true"], { stdio: "ignore" });
  const code = await new Promise((resolve) => child.on("close", resolve));
  if (code !== 0) throw new Error(`bare bubblewrap ended with ${String(code)}`);
}

async function ours(): Promise<void> {
  const env = { PATH: "/usr/bin:/bin", HOME: "/home/u" };
  const request = { phase: "test", argv: ["/usr/bin/true"], cwd: "/", env, mounts: [], limits } as const;
  const { exit } = await sandbox.run({ ...request, proc: "synthetic" });
  if (exit.code !== 0) throw new Error(`the sandbox ended with ${JSON.stringify(exit)}`);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;

try {
  const times = { bare: [] as number[], ours: [] as number[] };
  await bare();
  await ours();
  for (let round = 0; round < rounds; round += 1) {
    times.bare.push(await timed(bare));
    times.ours.push(await timed(ours));
  }
  const [plain, own] = [median(times.bare), median(times.ours)];
  const line = { bench: "sandbox", bare_ms: plain, ours_ms: own, ratio: own / plain, more_ms: own - plain };
  process.stdout.write(
    `${JSON.stringify(line, (_key, value: unknown) => (typeof value === "number" ? Number(value.toFixed(2)) : value))}\n`,
  );
} finally {
  await rm(scratch, { recursive: true, force: true });
}
