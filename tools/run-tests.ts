/**
 * Runs the suite and leaves the runner's JSON report under `.cache/reports/`.
 * `run-tests.ts` the projects of `npm test`; `--all` every project; `--rest` those that `npm test` leaves out.
 * Other arguments go to the test runner (file names, `-t`).
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { countCases, renderCount } from "./count-cases.ts";

const root = path.dirname(import.meta.dirname);
const groups = {
  default: ["unit", "architecture", "integration"],
  rest: ["exhaustive", "e2e"],
} as const;
/** A skip that nobody expects hides a check: CI fails on any other number. */
const expectedSkips = { default: 0, rest: 0, all: 0 } as const;

type Group = keyof typeof expectedSkips;

const readGroup = (args: readonly string[]): Group => {
  // `--rest` first: it comes behind the `--all` of the script.
  if (args.includes("--rest")) return "rest";
  return args.includes("--all") ? "all" : "default";
};

/** Bytes that the tests of `npm test` must find free in memory, before their files go there. */
const roomInMemory = 4 * 2 ** 30;

/**
 * Where tests make their files. Most of `npm test` is small files of little repositories, which a disk can make slow: they
 * lie in memory where there is plenty. The other tests stay on the disk, so that both are tried.
 */
const openTemporary = (group: Group): string | null => {
  const shared = "/dev/shm";
  if (group !== "default" || process.env.TMPDIR !== undefined || !fs.existsSync(shared)) return null;
  const { bavail, bsize } = fs.statfsSync(shared);
  if (bavail * bsize < roomInMemory || os.freemem() < 2 * roomInMemory) return null;
  for (const name of fs.readdirSync(shared)) {
    // What an interrupted run left.
    const pid = /^trueup-tests-(\d+)-/u.exec(name)?.[1];
    if (pid !== undefined && !fs.existsSync(`/proc/${pid}`))
      fs.rmSync(path.join(shared, name), { recursive: true, force: true });
  }
  const directory = fs.mkdtempSync(path.join(shared, `trueup-tests-${process.pid}-`));
  // As `/tmp` is: some tests run as another user.
  fs.chmodSync(directory, 0o1777);
  return directory;
};

const runSuite = (group: Group, filters: readonly string[]): { code: number; report: string } => {
  const projects = group === "all" ? [...groups.default, ...groups.rest] : groups[group];
  const report = path.join(root, ".cache", "reports", `${group}.json`);
  fs.rmSync(report, { force: true });
  const args = [
    path.join(root, "node_modules", "vitest", "vitest.mjs"),
    "run",
    ...projects.map((name) => `--project=${name}`),
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...filters,
  ];
  const temporary = openTemporary(group);
  const env = temporary === null ? process.env : { ...process.env, TMPDIR: temporary };
  const { status, signal } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit", env });
  if (temporary !== null) fs.rmSync(temporary, { recursive: true, force: true });
  if (signal !== null) process.stderr.write(`the test runner was ended by ${signal}\n`);
  return { code: status ?? 1, report };
};

/** The process's exit code: that of the runner, or 1 when the report is unreadable or skips are not as expected. */
const judge = (group: Group, code: number, report: string): number => {
  const count = countCases(fs.readFileSync(report, "utf8"));
  process.stdout.write(`${renderCount(count)}\n`);
  if (count.skipped === expectedSkips[group]) return code !== 0 || count.failed === 0 ? code : 1;
  process.stderr.write(`${count.skipped} tests were skipped, ${expectedSkips[group]} are expected\n`);
  return process.env.CI ? 1 : code;
};

const args = process.argv.slice(2);
const group = readGroup(args);
const filters = args.filter((arg) => arg !== "--all" && arg !== "--rest");
const { code, report } = runSuite(group, filters);
process.exitCode = filters.length > 0 ? code : judge(group, code, report);
