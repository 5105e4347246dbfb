import { z } from "zod";
import type { TestCase } from "../../core/facts/index.ts";
import {
  exactly,
  repositoryPath,
  type HeaderClaim,
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

/**
 * vitest's own JSON report (1 to 5), the parts that are judged; it is Jest's shape, and grows between versions. Every
 * version writes the counts of pending and todo; a report without them is read, and its header called incomplete.
 */
const reportShape = z.object({
  numTotalTests: count,
  numPassedTests: count,
  numFailedTests: count,
  numPendingTests: count.optional(),
  numTodoTests: count.optional(),
  success: z.boolean(),
  startTime: time.nullish(),
  snapshot: z.object({ failure: z.boolean().nullish(), unmatched: count.nullish() }).nullish(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.enum(["passed", "failed"]),
      message: z.string().nullish(),
      assertionResults: z.array(
        z.object({
          ancestorTitles: z.array(z.string()),
          title: z.string(),
          status: z.enum(["passed", "failed", "skipped", "pending", "todo", "disabled"]),
          duration: z.number().nullish(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

type VitestReport = z.infer<typeof reportShape>;
type VitestCase = VitestReport["testResults"][number]["assertionResults"][number];

/**
 * The report tells neither a retried pass nor an expected failure from a pass, save where a version leaves the message
 * of the failed try with the pass.
 */
function stateOf(item: VitestCase): TestCase["state"] {
  if (item.status === "disabled") return "skipped";
  return item.status === "passed" && (item.failureMessages ?? []).length > 0 ? "retried" : item.status;
}

function claimsOf(report: VitestReport): HeaderClaim[] {
  const states = report.testResults.flatMap((file) => file.assertionResults.map(stateOf));
  const counted = (...wanted: string[]): number => states.filter((state) => wanted.includes(state)).length;
  const { numPendingTests, numTodoTests } = report;
  // A test that never ran to its end is `pending` in the list and in the header's total alone.
  const skipped = counted("skipped");
  const pending = { key: "numPendingTests", least: skipped, most: skipped + counted("pending") };
  return [
    exactly("numTotalTests", report.numTotalTests, states.length),
    exactly("numPassedTests", report.numPassedTests, counted("passed", "retried")),
    exactly("numFailedTests", report.numFailedTests, counted("failed")),
    ...(numPendingTests === undefined ? [] : [{ ...pending, says: numPendingTests }]),
    ...(numTodoTests === undefined ? [] : [exactly("numTodoTests", numTodoTests, counted("todo"))]),
  ];
}

function flawsOf(report: VitestReport, root: string): ReportFlaw[] {
  const missing = (["numPendingTests", "numTodoTests"] as const).filter((key) => report[key] === undefined);
  const unmatched = report.snapshot?.unmatched ?? 0;
  return [
    ...fileFlaws(report.testResults, root),
    // vitest 1 alone writes no `snapshot`, and it exits 0 after an unhandled error.
    ...(report.snapshot == null
      ? [{ code: "runner-hides-errors", subject: "a report as vitest 1 writes it" } as const]
      : []),
    ...missing.map((key) => ({ code: "header-incomplete", subject: `no ${key}` }) as const),
    ...(report.snapshot?.failure === true || unmatched > 0
      ? [{ code: "snapshots-failed", subject: `${unmatched} unmatched` } as const]
      : []),
  ];
}

/** All that the value of a vitest report says; a string says why it is none. `root` is cut from file names. */
export function vitestContent(value: unknown, root: string): ReportContent | string {
  const fitted = fitReport(value, reportShape, "vitest");
  if (typeof fitted === "string") return fitted;
  const { testResults, snapshot, startTime, numPendingTests, numTodoTests, ...header } = fitted.report;
  return {
    runner: "vitest",
    cases: testResults.flatMap((file) =>
      file.assertionResults.map((item) => ({
        project: "",
        file: repositoryPath(root, file.name),
        suite: item.ancestorTitles,
        title: item.title,
        state: stateOf(item),
        errors: (item.failureMessages ?? []).map(capText),
      })),
    ),
    modules: testResults.map((file) => moduleOfFile(file, root)),
    unhandled: [],
    header: {
      ...header,
      ...(numPendingTests === undefined ? {} : { numPendingTests }),
      ...(numTodoTests === undefined ? {} : { numTodoTests }),
      snapshotFailure: snapshot?.failure === true,
    },
    success: header.success,
    claims: claimsOf(fitted.report),
    flaws: flawsOf(fitted.report, root),
    startedAt: startTime ?? null,
  };
}

/** Decodes vitest's JSON report. `root` is the repository inside the sandbox. A string says why it cannot be read. */
export function decodeVitestJson(bytes: Uint8Array, root: string): RunnerReport | string {
  return decodeJestShaped(bytes, (value) => vitestContent(value, root));
}
