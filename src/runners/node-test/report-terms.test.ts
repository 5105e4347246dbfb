import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { TestCase } from "../../core/facts/index.ts";
import { nodeTestTerms, readOwnReport } from "./report-terms.ts";

const one = (title: string, more: Partial<TestCase> = {}): TestCase => ({
  project: "",
  file: "a.test.js",
  suite: [],
  title,
  ordinal: 0,
  state: "passed",
  errors: [],
  ...more,
});

describe("nodeTestTerms", () => {
  it("a test that holds tests is none of the report's cases, and no case has a file", () => {
    const cases = [one("child", { suite: ["parent"] }), one("parent"), one("parent", { file: "b.test.js" })];
    expect(nodeTestTerms(cases)).toEqual([
      { file: "", suite: ["parent"], title: "child", state: "passed" },
      { file: "", suite: [], title: "parent", state: "passed" },
    ]);
  });

  it.each(["a\tb", "a\u001B[0m", "\uD800", "a\u0000"])(
    "a name that XML cannot hold leaves nothing to compare: %j",
    (title) => {
      expect(nodeTestTerms([one(title)])).toBeNull();
      expect(nodeTestTerms([one("x", { suite: [title] })])).toBeNull();
    },
  );
});

it("real reports are read without files", () => {
  const samples = path.join(import.meta.dirname, "samples");
  const files = readdirSync(samples, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith("01-ok.xml"),
  );
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    const report = readOwnReport(readFileSync(path.join(samples, file)), "/repo");
    if (typeof report === "string") throw new Error(report);
    expect(report.cases.every((item) => item.file === "" && item.state === "passed")).toBe(true);
    expect(report.header.passed).toBe(report.cases.length);
  }
});
