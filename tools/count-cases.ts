/** Test cases by outcome, counted one by one. */
export interface CaseCount {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

const list = (value: unknown, what: string): readonly unknown[] => {
  if (!Array.isArray(value)) throw new Error(`the test report has no ${what}`);
  return value;
};

const outcomeOf = (testCase: unknown): keyof CaseCount => {
  const status = isObject(testCase) ? testCase.status : undefined;
  if (status === "passed" || status === "failed") return status;
  if (status === "skipped" || status === "pending" || status === "todo" || status === "disabled") return "skipped";
  throw new Error(`the test report holds a case of unknown status ${JSON.stringify(status)}`);
};

const countFile = (file: unknown): CaseCount => {
  if (!isObject(file)) throw new Error("the test report holds a file that is no object");
  const outcomes = list(file.assertionResults, "list of cases").map(outcomeOf);
  const count = (wanted: keyof CaseCount) => outcomes.filter((outcome) => outcome === wanted).length;
  // A file that did not load has no cases: it is one failure, never nothing.
  const unloaded = file.status === "failed" && count("failed") === 0 ? 1 : 0;
  return { passed: count("passed"), failed: count("failed") + unloaded, skipped: count("skipped") };
};

export const addCounts = (counts: readonly CaseCount[]): CaseCount => ({
  passed: counts.reduce((sum, count) => sum + count.passed, 0),
  failed: counts.reduce((sum, count) => sum + count.failed, 0),
  skipped: counts.reduce((sum, count) => sum + count.skipped, 0),
});

/**
 * Recounts the cases of one JSON report of the test runner; its own totals are not read, except that a report which
 * says it failed without a failed case counts as one failure. Throws when the text is no such report or holds no case.
 */
export const countCases = (text: string): CaseCount => {
  const report: unknown = JSON.parse(text);
  if (!isObject(report) || typeof report.success !== "boolean") throw new Error("this is no report of the test runner");
  const total = addCounts(list(report.testResults, "list of files").map(countFile));
  if (total.passed + total.failed + total.skipped === 0) throw new Error("the test report holds no test case");
  return report.success || total.failed > 0 ? total : { ...total, failed: 1 };
};

/** The one line that ends a run: skipped cases are named only when there are any. */
export const renderCount = ({ passed, failed, skipped }: CaseCount): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
