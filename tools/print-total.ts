/**
 * `print-total.ts FAILED_STEPS REPORT...` prints the sum of all reports as the only line of its output.
 * Exits 1 when a case or a step failed, or a report is missing or unreadable (each counts as one failure).
 */
import fs from "node:fs";
import { addCounts, countCases, renderCount, type CaseCount } from "./count-cases.ts";

const readCount = (file: string): CaseCount => {
  try {
    return countCases(fs.readFileSync(file, "utf8"));
  } catch (error) {
    process.stderr.write(`${file}: ${error instanceof Error ? error.message : String(error)}\n`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
};

const [failedSteps = "", ...reports] = process.argv.slice(2);
const cases = addCounts(reports.map(readCount));
// A step that failed without a failed case (format, lint, types, a crash) must not leave a line that reads as success.
const silent = /^\d+$/.test(failedSteps) && (failedSteps === "0" || cases.failed > 0) ? 0 : 1;
const total = { ...cases, failed: cases.failed + silent };
process.stdout.write(`${renderCount(total)}\n`);
process.exitCode = total.failed === 0 && reports.length > 0 ? 0 : 1;
