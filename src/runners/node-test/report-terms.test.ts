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

  it("a quote is one however often node escaped it", () => {
    const xml = (name: string): Uint8Array =>
      Buffer.from(
        `<?xml version="1.0" encoding="utf-8"?>\n<testsuites>\n\t<testcase name="${name}" time="0.1" classname="test"/>\n${["tests 1", "suites 0", "pass 1", "fail 0", "cancelled 0", "skipped 0", "todo 0"].map((count) => `\t<!-- ${count} -->\n`).join("")}</testsuites>\n`,
      );
    for (const name of ["say &quot;a&quot;", "say &amp;quot;a&amp;quot;"]) {
      const report = readOwnReport(xml(name), "/repo");
      expect(typeof report === "string" ? report : report.cases).toEqual(nodeTestTerms([one('say "a"')]));
    }
    expect(nodeTestTerms([one("a")])).not.toEqual(nodeTestTerms([one("b")]));
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
