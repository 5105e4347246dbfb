import { describe, expect, it } from "vitest";
import type { TestCase } from "../../core/facts/index.ts";
import { pytestTerms, readOwnReport } from "./report-terms.ts";

const one = (title: string, state: TestCase["state"] = "passed"): TestCase => ({
  project: "",
  file: "test_a.py",
  suite: ["TestX"],
  title,
  ordinal: 0,
  state,
  errors: [],
});
const report = (counts: string, cases: string): Uint8Array =>
  Buffer.from(
    `<?xml version="1.0" encoding="utf-8"?><testsuites><testsuite name="pytest" ${counts} time="0.1" timestamp="2026-01-01T00:00:00.000000+00:00" hostname="h">${cases}</testsuite></testsuites>`,
  );
const read = (counts: string, cases: string) => readOwnReport(report(counts, cases), "/repo");
const counts = (tests: number, failures = 0, errors = 0, skipped = 0): string =>
  `errors="${errors}" failures="${failures}" skipped="${skipped}" tests="${tests}"`;
const testcase = (name: string, inner = ""): string =>
  `<testcase classname="test_a.TestX" name="${name}" time="0.001">${inner}</testcase>`;

describe("pytest's own report beside the witness", () => {
  it("an expected failure is skipped, an unexpected pass passed, a file that skipped itself no case", () => {
    expect(pytestTerms([one("a"), one("b", "expected-failure"), one("c", "skipped"), one("", "skipped")])).toEqual([
      { file: "", suite: [], title: "a", state: "passed" },
      { file: "", suite: [], title: "b", state: "passed" },
      { file: "", suite: [], title: "c", state: "skipped" },
    ]);
    expect(read(counts(1, 0, 0, 1), testcase("c", `<skipped type="pytest.xfail" message=""/>`))).toMatchObject({
      cases: [{ title: "c", state: "skipped" }],
      header: { total: 1, passed: 0 },
    });
  });

  it("a failure with a failed teardown is one test, and subtests are counted beside theirs", () => {
    const failed = testcase("a", `<failure message="x">x</failure>`);
    const teardown = testcase("a", `<error message="failed on teardown with &quot;x&quot;">x</error>`);
    const both = read(counts(3, 1, 1), failed + teardown);
    expect(both).toMatchObject({ cases: [{ title: "a", state: "failed" }] });
    expect(read(counts(4), testcase("a"))).toMatchObject({ header: { total: 1, passed: 1 } });
  });

  it("tests of one name that fail are as many tests as fail", () => {
    const failed = testcase("a", `<failure message="x">x</failure>`);
    expect(read(counts(3, 2), testcase("a") + failed + failed)).toMatchObject({
      cases: [{ state: "passed" }, { state: "failed" }, { state: "failed" }],
    });
  });

  it("[E7] fewer tests than the list holds, or failures that it does not hold, stand as they were written", () => {
    expect(read(counts(1), testcase("a") + testcase("b"))).toMatchObject({ header: { total: 1 } });
    expect(read(counts(1, 1), testcase("a"))).toMatchObject({ header: { failed: 1 } });
  });

  it("[E7] what is no report is unreadable", () => {
    for (const text of ["", "<testsuites", "<testsuites/>"])
      expect(typeof readOwnReport(Buffer.from(text), "/repo")).toBe("string");
  });
});
