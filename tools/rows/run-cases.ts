import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

/** How one test case ended; `title` holds its suites too. */
export interface CaseOutcome {
  readonly title: string;
  readonly status: string;
}

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** The longest that the tests of one row may take before they count as not run. */
const limitMs = 600_000;

/**
 * Runs the cases of the given rows in a copy of the tree and gives those that really ran. A run without a readable
 * report gives none: the caller must not take that for red or green.
 */
export const runCases = (copy: string, ids: readonly string[], files: readonly string[]): readonly CaseOutcome[] => {
  const report = path.join(copy, ".rows-report.json");
  fs.rmSync(report, { force: true });
  const program = path.join(copy, "node_modules", "vitest", "vitest.mjs");
  const pattern = `\\[(${ids.join("|")})\\]`;
  const args = [program, "run", ...files, "-t", pattern, "--reporter=json", `--outputFile.json=${report}`];
  spawnSync(process.execPath, args, { cwd: copy, stdio: "ignore", timeout: limitMs, killSignal: "SIGKILL" });
  if (!fs.existsSync(report)) return [];
  const { testResults } = JSON.parse(fs.readFileSync(report, "utf8")) as Report;
  const cases = testResults.flatMap((file) => file.assertionResults);
  return cases
    .filter(({ status }) => status === "passed" || status === "failed")
    .map(({ fullName, status }) => ({ title: fullName, status }));
};
