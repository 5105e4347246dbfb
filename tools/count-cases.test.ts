import { expect, test } from "vitest";
import { countCases, renderCount } from "./count-cases.ts";

const report = (statuses: readonly string[], more: object = {}, file: object = {}) =>
  JSON.stringify({
    success: true,
    testResults: [{ status: "passed", assertionResults: statuses.map((status) => ({ status })), ...file }],
    ...more,
  });

test.each([
  ["cases are counted one by one", report(["passed", "passed", "failed"]), "2 passed, 1 failed"],
  [
    "skipped, pending and todo are skips",
    report(["passed", "skipped", "pending", "todo"]),
    "1 passed, 0 failed, 3 skipped",
  ],
  ["forged totals are not read", report(["failed"], { numPassedTests: 9, numFailedTests: 0 }), "0 passed, 1 failed"],
  ["a file that did not load is a failure", report([], {}, { status: "failed" }), "0 passed, 1 failed"],
  ["a failed run without a failed case is a failure", report(["passed"], { success: false }), "1 passed, 1 failed"],
])("%s", (_title, text, line) => {
  expect(renderCount(countCases(text))).toBe(line);
});

test.each([
  ["empty text", ""],
  ["truncated text", report(["passed"]).slice(0, -3)],
  ["no object", "7"],
  ["no verdict of the runner", report(["passed"], { success: "yes" })],
  ["no files", JSON.stringify({ success: true })],
  ["no cases at all", report([])],
  ["an unknown status", report(["passed", "green"])],
])("a report with %s is an error, never zero failures", (_title, text) => {
  expect(() => countCases(text)).toThrow();
});
