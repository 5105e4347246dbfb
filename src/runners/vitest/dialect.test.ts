import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeVitestJson } from "./dialect.ts";

const samples = join(import.meta.dirname, "samples");
const read = (name: string): Uint8Array => readFileSync(join(samples, name));
const decoded = (name: string): Exclude<ReturnType<typeof decodeVitestJson>, string> => {
  const report = decodeVitestJson(read(name), "/repo");
  if (typeof report === "string") throw new Error(report);
  return report;
};
const states = (name: string): string =>
  decoded(name)
    .cases.map((item) => item.state)
    .join(" ");
const names = ["v1", "v2", "v3", "v4", "v5"].flatMap((version) =>
  readdirSync(join(samples, version)).map((name) => `${version}/${name}`),
);

describe("decodeVitestJson", () => {
  it("decodes every real report", () => {
    expect(names.length).toBeGreaterThan(90);
    for (const name of names) expect(typeof decodeVitestJson(read(name), "/repo"), name).toBe("object");
  });

  it("names files relative to the repository", () => {
    expect(decoded("v5/01-ok.json").cases.every((item) => item.file.startsWith("fx/"))).toBe(true);
  });

  it.each([
    ["v5/02-one-fail.json", "passed failed", 1],
    ["v3/02-one-fail.json", "passed failed", 1],
    ["v5/03-suite-load-error.json", "passed passed", 1],
    ["v3/03-suite-load-error.json", "passed passed", 1],
    ["v5/08-no-test-files.json", "", 0],
    ["v5/18-worker-oom.json", "passed pending", 1],
    ["v5/28-cfg-forged-reporter.json", "", 0],
  ])("%s: %s", (name, expected, failedFiles) => {
    expect(states(name)).toBe(expected);
    expect(decoded(name).failedFiles).toHaveLength(failedFiles);
  });

  it("[E7] keeps the header of a skeleton report, which its empty list contradicts", () => {
    expect(decoded("v5/28-cfg-forged-reporter.json").header.passed).toBe(17);
  });

  it.each([
    ["an empty file", ""],
    ["a cut report", '{"numTotalTests":1'],
    ["another shape", '{"tests":[]}'],
    ["a list", "[]"],
    [
      "a count that is no number",
      '{"numTotalTests":"17","numPassedTests":17,"numFailedTests":0,"success":true,"testResults":[]}',
    ],
    ["nesting without end", "[".repeat(1_000_000)],
  ])("[E7] %s is unreadable, never empty", (_name, text) => {
    expect(typeof decodeVitestJson(new TextEncoder().encode(text), "/repo")).toBe("string");
  });

  it("[E7] a real report cut anywhere is unreadable", () => {
    const bytes = read("v5/02-one-fail.json");
    fc.assert(
      fc.property(
        fc.nat(bytes.length - 2),
        (length) => typeof decodeVitestJson(bytes.subarray(0, length), "/repo") === "string",
      ),
    );
  });

  it("never throws on random bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => typeof decodeVitestJson(bytes, "/repo") === "string"),
    );
  });
});
