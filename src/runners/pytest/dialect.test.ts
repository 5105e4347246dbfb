import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { decodePytestJunit } from "./dialect.ts";

const samples = join(import.meta.dirname, "samples");
const names = readdirSync(samples).flatMap((version) =>
  readdirSync(join(samples, version)).map((name) => `${version}/${name}`),
);
const decoded = (name: string): Exclude<ReturnType<typeof decodePytestJunit>, string> => {
  const report = decodePytestJunit(readFileSync(join(samples, name)), "/repo");
  if (typeof report === "string") throw new Error(report);
  return report;
};
const suite = (attributes: string, cases: string): ReturnType<typeof decodePytestJunit> =>
  decodePytestJunit(
    new TextEncoder().encode(`<testsuites><testsuite name="pytest" ${attributes}>${cases}</testsuite></testsuites>`),
    "/repo",
  );

describe("decodePytestJunit", () => {
  it("decodes every real report", () => {
    expect(names.length).toBeGreaterThan(14);
    for (const name of names) expect(decoded(name).cases, name).toBeInstanceOf(Array);
  });

  it.each([
    ["v7/02-fail.xml", "passed failed", 0],
    ["v7/03b-load-error-continue.xml", "passed", 1],
    ["v7/08-none.xml", "", 0],
    ["v7/11-skip-xfail-xpass.xml", "skipped passed passed passed failed", 0],
    ["v7/16c-pytest-exit0.xml", "passed pending", 0],
    ["v7/19-fixture-setup.xml", "failed", 0],
  ])("%s: %s", (name, states, failedFiles) => {
    const report = decoded(name);
    expect(report.cases.map((item) => item.state).join(" ")).toBe(states);
    expect(report.failedFiles).toHaveLength(failedFiles);
  });

  it("the family xunit1 names the file, xunit2 the dotted class only", () => {
    const attributes = 'tests="1" failures="0" errors="0" skipped="0"';
    expect(suite(attributes, '<testcase classname="a.test_b.TestC" name="t" file="a/test_b.py"/>')).toMatchObject({
      cases: [{ file: "a/test_b.py", suite: ["a.test_b.TestC"], title: "t" }],
    });
    expect(decoded("v7/01-ok.xml").cases[0]).toEqual({ file: "", suite: ["test_a"], title: "test_a", state: "passed" });
  });

  it("a teardown that fails after a pass counts twice in the header and once in the list", () => {
    const attributes = 'tests="2" failures="0" errors="1" skipped="0"';
    const report = suite(
      attributes,
      '<testcase classname="t" name="a"><error message="failed on teardown with &quot;x&quot;"/></testcase>',
    );
    expect(report).toMatchObject({ header: { total: 1, failed: 1, success: false } });
  });

  it.each([
    ["a suite without counts", "", '<testcase name="a"/>'],
    ["a count that is no number", 'tests="NaN" failures="0" errors="0" skipped="0"', ""],
    ["a negative count", 'tests="1" failures="-1" errors="0" skipped="0"', ""],
    [
      "an element it does not know",
      'tests="1" failures="0" errors="0" skipped="0"',
      "<testcase name='a'><ok/></testcase>",
    ],
  ])("[E7] %s is unreadable, never empty", (_name, attributes, cases) => {
    expect(typeof suite(attributes, cases)).toBe("string");
  });
});
