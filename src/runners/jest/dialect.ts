import { z } from "zod";
import type { TestCase } from "../../core/facts/index.ts";
import {
  exactly,
  repositoryPath,
  type ReportContent,
  type ReportFlaw,
  type RunnerReport,
} from "../../core/test-report/index.ts";
import { decodeJestShaped, fileFlaws, moduleOfFile } from "../jest-shaped.ts";
import { fitReport } from "../read-json-report.ts";
import { capText } from "../report-bytes.ts";

const count = z.int().min(0);
/** Milliseconds since 1970, as far as a Date goes. */
const time = z.number().min(0).max(8.64e15);
const state = z.enum(["passed", "failed", "skipped", "pending", "todo", "disabled"]);

const jestCase = z.object({
  ancestorTitles: z.array(z.string()),
  title: z.string(),
  status: state,
  duration: z.number().nullish(),
  failureMessages: z.array(z.string()).default([]),
  /** Runs of the test: retries and one. Jest 29 has it, some versions before do not. */
  invocations: count.nullish(),
  /** The test is written to fail (`test.failing`). */
  failing: z.boolean().nullish(),
});

/** Jest's JSON report (29, 30), the parts that are judged; three of its keys stand in no other runner's. */
const jestShape = z.object({
  numTotalTests: count,
  numPassedTests: count,
  numFailedTests: count,
  numPendingTests: count,
  numTodoTests: count,
  numTotalTestSuites: count,
  numPassedTestSuites: count,
  numFailedTestSuites: count,
  numPendingTestSuites: count,
  numRuntimeErrorTestSuites: count,
  success: z.boolean(),
  wasInterrupted: z.boolean(),
  startTime: time.nullish(),
  openHandles: z.array(z.unknown()),
  snapshot: z.object({ failure: z.boolean().nullish(), unmatched: count.nullish() }).nullish(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.enum(["passed", "failed", "skipped", "pending", "todo", "disabled", "focused"]),
      message: z.string(),
      assertionResults: z.array(jestCase),
    }),
  ),
});

type JestReport = z.infer<typeof jestShape>;

/** True for a value with keys that Jest writes and vitest, whose report has Jest's shape, does not. */
export function isJestReport(value: object): boolean {
  return ["numRuntimeErrorTestSuites", "wasInterrupted", "openHandles"].some((key) => Object.hasOwn(value, key));
}

/** Jest says `pending` of a test that was skipped, by name, by `.only` or by itself. */
function stateOf(item: z.infer<typeof jestCase>): TestCase["state"] {
  if (item.status === "pending" || item.status === "disabled") return "skipped";
  if (item.status !== "passed") return item.status;
  if ((item.invocations ?? 1) > 1) return "retried";
  if (item.failing === true) return "expected-failure";
  return item.failureMessages.length > 0 ? "failed" : "passed";
}

function flawsOf(report: JestReport, root: string): ReportFlaw[] {
  const unmatched = report.snapshot?.unmatched ?? 0;
  return [
    ...fileFlaws(report.testResults, root),
    ...(report.wasInterrupted ? [{ code: "interrupted", subject: "wasInterrupted" } as const] : []),
    ...(report.openHandles.length > 0
      ? [{ code: "open-handles", subject: String(report.openHandles.length) } as const]
      : []),
    ...(report.snapshot?.failure === true || unmatched > 0
      ? [{ code: "snapshots-failed", subject: `${unmatched} unmatched` } as const]
      : []),
  ];
}

function claimsOf(report: JestReport): ReportContent["claims"] {
  const files = report.testResults;
  const cases = files.flatMap((file) => file.assertionResults);
  const tests = (...states: string[]): number => cases.filter((item) => states.includes(item.status)).length;
  const suites = (status: string): number => files.filter((file) => file.status === status).length;
  return [
    exactly("numTotalTests", report.numTotalTests, cases.length),
    exactly("numPassedTests", report.numPassedTests, tests("passed")),
    exactly("numFailedTests", report.numFailedTests, tests("failed")),
    exactly("numPendingTests", report.numPendingTests, tests("pending", "skipped", "disabled")),
    exactly("numTodoTests", report.numTodoTests, tests("todo")),
    exactly("numTotalTestSuites", report.numTotalTestSuites, files.length),
    exactly("numFailedTestSuites", report.numFailedTestSuites, suites("failed")),
  ];
}

/** All that the value of a Jest report says; a string says why it cannot be read as one. `root` is cut from file names. */
export function jestContent(value: unknown, root: string): ReportContent | string {
  const fitted = fitReport(value, jestShape, "jest");
  if (typeof fitted === "string") return fitted;
  const { report } = fitted;
  const { testResults, snapshot, openHandles, startTime, ...header } = report;
  return {
    runner: "jest",
    cases: testResults.flatMap((file) =>
      file.assertionResults.map((item) => ({
        project: "",
        file: repositoryPath(root, file.name),
        suite: item.ancestorTitles,
        title: item.title,
        state: stateOf(item),
        errors: item.failureMessages.map(capText),
      })),
    ),
    modules: testResults.map((file) => moduleOfFile(file, root)),
    unhandled: [],
    header: { ...header, openHandles: openHandles.length, snapshotFailure: snapshot?.failure === true },
    success: report.success,
    claims: claimsOf(report),
    flaws: flawsOf(report, root),
    startedAt: startTime ?? null,
  };
}

/** Jest's JSON report as the second witness reads it. A string says why it cannot be read. */
export function decodeJestJson(bytes: Uint8Array, root: string): RunnerReport | string {
  return decodeJestShaped(bytes, (value) => jestContent(value, root));
}
