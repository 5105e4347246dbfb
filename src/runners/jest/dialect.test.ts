import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { decodeJestJson } from "./dialect.ts";

const samples = join(import.meta.dirname, "samples");
const names = readdirSync(samples).flatMap((version) =>
  readdirSync(join(samples, version)).map((name) => `${version}/${name}`),
);
const decoded = (name: string): Exclude<ReturnType<typeof decodeJestJson>, string> => {
  const report = decodeJestJson(readFileSync(join(samples, name)), "/repo");
  if (typeof report === "string") throw new Error(report);
  return report;
};

describe("decodeJestJson", () => {
  it("decodes every real report", () => {
    expect(names.length).toBeGreaterThan(15);
    for (const name of names) expect(decoded(name).cases, name).toBeInstanceOf(Array);
  });

  it("names files relative to the repository", () => {
    expect(decoded("v30/01-ok.json").cases.map((item) => item.file)).toEqual([
      "fx/01-ok/a.test.js",
      "fx/01-ok/a.test.js",
    ]);
  });

  it.each([
    ["v30/02-one-fail.json", "passed failed", 1],
    ["v30/03-suite-load-error.json", "passed passed", 1],
    ["v30/10-only.json", "passed skipped skipped", 0],
    ["v30/11-skip-todo.json", "passed skipped todo skipped", 0],
    ["v30/16c-exit-in-worker.json", "passed", 1],
    ["v30/28-testResultsProcessor.json", "", 0],
  ])("%s: %s", (name, states, failedFiles) => {
    const report = decoded(name);
    expect(report.cases.map((item) => item.state).join(" ")).toBe(states);
    expect(report.failedFiles).toHaveLength(failedFiles);
  });

  it("[E7] a forged header keeps its numbers, which the empty list contradicts", () => {
    expect(decoded("v30/28-testResultsProcessor.json").header).toEqual({
      total: 17,
      passed: 17,
      failed: 0,
      success: true,
    });
  });

  it("refuses vitest's report, which has Jest's shape without Jest's own keys", () => {
    const file = join(import.meta.dirname, "../vitest/samples/v5/01-ok.json");
    expect(decodeJestJson(readFileSync(file), "/repo")).toMatch(/^the report is not jest's/u);
  });
});
