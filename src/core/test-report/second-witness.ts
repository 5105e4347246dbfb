import type { TestCase, TestModule } from "../facts/index.ts";
import { compareText } from "../digest.ts";

/** What the runner's own report says, in our words. It has no projects and cannot tell kinds of passes apart. */
export interface RunnerReport {
  readonly cases: readonly {
    /** Relative to the repository root. */
    readonly file: string;
    readonly suite: readonly string[];
    readonly title: string;
    readonly state: "passed" | "failed" | "skipped" | "todo" | "pending";
  }[];
  readonly failedFiles: readonly string[];
  /** The report's own numbers. */
  readonly header: {
    readonly total: number;
    readonly passed: number;
    readonly failed: number;
    readonly success: boolean;
  };
}

/** The report as it was found: not there, there and not readable, or read. */
export type SecondWitness =
  | { readonly state: "absent" }
  | { readonly state: "unreadable"; readonly detail: string }
  | { readonly state: "read"; readonly report: RunnerReport };

/**
 * The witness's cases in the words of a report that has fewer: no file, no parents. Null when it has no words for them at
 * all, as XML has none for some characters; then there is nothing to compare.
 */
export type ReportTerms = (cases: readonly TestCase[]) => RunnerReport["cases"] | null;

const reportState: Record<TestCase["state"], RunnerReport["cases"][number]["state"]> = {
  passed: "passed",
  retried: "passed",
  "expected-failure": "passed",
  failed: "failed",
  skipped: "skipped",
  todo: "todo",
  pending: "pending",
};

/** Skipped and pending are one word in some versions of the report; neither is ever a pass. */
function lineOf(item: RunnerReport["cases"][number]): string {
  return JSON.stringify([item.file, item.suite, item.title, item.state === "pending" ? "skipped" : item.state]);
}

function firstDifference(ours: readonly string[], theirs: readonly string[]): string | null {
  const a = [...ours].sort(compareText);
  const b = [...theirs].sort(compareText);
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    if (a[index] !== b[index]) return `witness ${a[index] ?? "nothing"}, report ${b[index] ?? "nothing"}`;
  }
  return null;
}

function headerDifference(report: RunnerReport): string | null {
  const count = (state: string): number => report.cases.filter((item) => item.state === state).length;
  const counted = { total: report.cases.length, passed: count("passed"), failed: count("failed") };
  for (const key of ["total", "passed", "failed"] as const) {
    if (report.header[key] !== counted[key])
      return `the report's header says ${report.header[key]} ${key}, its list ${counted[key]}`;
  }
  return null;
}

/** Where the witness's cases, in the report's own words, and the report part; null when they agree. Such reports name no files that failed. */
export function findDifferenceInTerms(report: RunnerReport, cases: RunnerReport["cases"]): string | null {
  return headerDifference(report) ?? firstDifference(cases.map(lineOf), report.cases.map(lineOf));
}

/** Where the runner's own report and the witness part; null when they agree. Unhandled errors are not in the report. */
export function findReportDifference(
  report: RunnerReport,
  cases: readonly TestCase[],
  modules: readonly TestModule[],
): string | null {
  const ours = cases.map((item) => lineOf({ ...item, state: reportState[item.state] }));
  const theirs = report.cases.map(lineOf);
  const failed = new Set([
    ...modules.filter((item) => item.state === "failed").map((item) => item.file),
    ...cases.filter((item) => item.state === "failed").map((item) => item.file),
  ]);
  return (
    headerDifference(report) ??
    firstDifference(ours, theirs) ??
    firstDifference([...failed], [...new Set(report.failedFiles)])
  );
}
