// A gate that does what is asked of it to the letter, in the agent's own checkout: numstat of the index, the test command
// with a report at a path that nobody was told, and the counters of that report. It is what `compare-gates.ts` measures
// Trueup against, and no part of Trueup. `node literal-gate.ts CONTRACT REPORT`, started in the checkout; prints one JSON line.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import picomatch from "picomatch";
import type { AcceptanceContract } from "../../src/core/contract/index.ts";

const [contractFile = "", report = ""] = process.argv.slice(2);
const contract = JSON.parse(readFileSync(contractFile, "utf8")) as AcceptanceContract;

interface NumstatLine {
  readonly added: number;
  readonly deleted: number;
  readonly path: string;
}

function readNumstat(): readonly NumstatLine[] {
  execFileSync("git", ["add", "-A"], { stdio: "ignore" });
  const text = execFileSync("git", ["diff", "--cached", "--no-renames", "--numstat", "-z"], { encoding: "utf8" });
  return text
    .split("\0")
    .filter((line) => line !== "")
    .map((line) => {
      const [added = "", deleted = "", path = ""] = line.split("\t");
      return { added: Number(added), deleted: Number(deleted), path };
    });
}

/** The command's own words with the flags that make its runner write a report. */
function reportingCommand(command: string): readonly string[] {
  const words = command.split(" ");
  const json = ["--reporter=json", `--outputFile=${report}`];
  if (command.startsWith("npm test")) return [...words, "--", ...json];
  if (command.startsWith("npx vitest")) return [...words, ...json];
  if (command.startsWith("npx jest")) return [...words, "--json", `--outputFile=${report}`];
  if (command.startsWith("node --test"))
    return ["node", "--test", "--test-reporter=junit", `--test-reporter-destination=${report}`, ...words.slice(2)];
  return [...words, `--junitxml=${report}`];
}

/** Passed and failed by the report's own counters. */
function readCounters(): { readonly passed: number; readonly failed: number } | null {
  if (!existsSync(report)) return null;
  const text = readFileSync(report, "utf8");
  if (text.startsWith("{")) {
    const { numPassedTests, numFailedTests } = JSON.parse(text) as { numPassedTests: number; numFailedTests: number };
    return { passed: numPassedTests, failed: numFailedTests };
  }
  const number = (pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0);
  if (text.includes("<!-- pass ")) return { passed: number(/<!-- pass (\d+)/u), failed: number(/<!-- fail (\d+)/u) };
  const failed = number(/failures="(\d+)"/u) + number(/errors="(\d+)"/u);
  return { passed: number(/tests="(\d+)"/u) - failed - number(/skipped="(\d+)"/u), failed };
}

function testProblems({ command, passed }: NonNullable<AcceptanceContract["tests"]>[number]): readonly string[] {
  const [program = "", ...args] = reportingCommand(command);
  const { status } = spawnSync(program, args, { stdio: "ignore" });
  if (status !== 0) return [`${command} exited ${String(status)}`];
  const seen = readCounters();
  if (seen === null) return [`${command} left no report`];
  return seen.failed > 0 || seen.passed !== passed ? [`${seen.passed} passed, not ${String(passed)}`] : [];
}

function contentProblems(): readonly string[] {
  const holds = ({ path, text }: { path: string; text: string }): boolean =>
    existsSync(path) && readFileSync(path, "utf8").includes(text);
  return [
    ...(contract.file_contains ?? []).filter((one) => !holds(one)).map(({ path }) => `${path} lacks its text`),
    ...(contract.file_excludes ?? []).filter(holds).map(({ path }) => `${path} holds a text it must not`),
  ];
}

function scopeProblems(files: readonly NumstatLine[]): readonly string[] {
  const matches = (globs: readonly string[], path: string): boolean => picomatch([...globs], { dot: true })(path);
  const sum = (of: "added" | "deleted"): number => files.reduce((total, one) => total + one[of], 0);
  const { changed_files_only: only, changed_files_required: required = [] } = contract;
  return [
    ...files
      .filter(({ path }) => only !== undefined && !matches(only, path))
      .map(({ path }) => `${path}: out of scope`),
    ...required.filter((one) => !files.some(({ path }) => matches([one], path))).map((one) => `${one}: not changed`),
    ...(sum("added") > (contract.max_added_lines ?? Infinity) ? ["too many lines added"] : []),
    ...(sum("deleted") > (contract.max_deleted_lines ?? Infinity) ? ["too many lines deleted"] : []),
  ];
}

const files = readNumstat();
const problems = [...scopeProblems(files), ...contentProblems(), ...(contract.tests ?? []).flatMap(testProblems)];
process.stdout.write(`${JSON.stringify({ accepted: problems.length === 0, problems, files, contract })}\n`);
