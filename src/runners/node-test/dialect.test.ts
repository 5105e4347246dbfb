import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { decodeNodeTestJunit } from "./dialect.ts";

const samples = join(import.meta.dirname, "samples");
const names = readdirSync(samples).flatMap((version) =>
  readdirSync(join(samples, version)).map((name) => `${version}/${name}`),
);
const decode = (text: string): ReturnType<typeof decodeNodeTestJunit> =>
  decodeNodeTestJunit(new TextEncoder().encode(text), "/repo");
const decoded = (name: string): Exclude<ReturnType<typeof decodeNodeTestJunit>, string> => {
  const report = decodeNodeTestJunit(readFileSync(join(samples, name)), "/repo");
  if (typeof report === "string") throw new Error(report);
  return report;
};
const counts = (more: Record<string, number> = {}): string =>
  Object.entries({ tests: 1, suites: 0, pass: 1, fail: 0, cancelled: 0, skipped: 0, todo: 0, ...more })
    .map(([name, count]) => `<!-- ${name} ${count} -->`)
    .join("");

describe("decodeNodeTestJunit", () => {
  it("decodes every real report of node 20, 22 and 24", () => {
    expect(names).toHaveLength(36);
    for (const name of names) expect(decoded(name).cases, name).toBeInstanceOf(Array);
  });

  it.each(["v20", "v22", "v24"])("%s: what went wrong is seen", (version) => {
    const seen = (name: string): string =>
      `${decoded(`${version}/${name}.xml`)
        .cases.map((item) => item.state)
        .join(" ")} / ${decoded(`${version}/${name}.xml`).failedFiles.length}`;
    expect(seen("02-fail")).toBe("passed failed / 0");
    expect(seen("03-load-error")).toBe("passed / 1");
    expect(seen("06-throw-after-end")).toBe("passed passed / 1");
    expect(seen("11-skip-todo")).toBe("passed skipped todo / 0");
    expect(seen("19-before-fails")).toBe("failed failed passed / 0");
  });

  it.each(["v20", "v22", "v24"])(
    "[E7] %s: the case that stands for a file that reported nothing is no test",
    (version) => {
      expect(decoded(`${version}/16-exit0.xml`).cases).toEqual([]);
      expect(decoded(`${version}/07-empty-file.xml`).cases.map((item) => item.title)).toEqual(["a"]);
    },
  );

  it("only node 24 says which file a case is of", () => {
    expect(decoded("v24/19-before-fails.xml").cases[0]).toMatchObject({
      file: "node24/19-before-fails/a.test.js",
      suite: ["s"],
      title: "a",
    });
    expect(decoded("v22/19-before-fails.xml").cases[0]).toMatchObject({ file: "", suite: ["s"], title: "a" });
  });

  it("a test that holds tests is counted by node and written as a suite: the header stands as the list's", () => {
    const text = `<testsuites><testsuite name="p" tests="1"><testcase name="a" classname="test"/></testsuite>${counts({ tests: 2, pass: 2 })}</testsuites>`;
    expect(decode(text)).toMatchObject({ header: { total: 1, passed: 1, failed: 0, success: true } });
  });

  it.each([
    ["no counts", "<testsuites><testcase name='a'/></testsuites>"],
    [
      "a count twice, once by t.diagnostic",
      `<testsuites><testcase name='a'/><!-- fail 0 -->${counts({ fail: 1 })}</testsuites>`,
    ],
    ["no end", "<testsuites><testcase name='a'/>"],
    ["another root", `<report>${counts()}</report>`],
    ["an element it does not know", `<testsuites><testcase name='a'><oops/></testcase>${counts()}</testsuites>`],
  ])("[E7] %s is unreadable, never empty", (_name, text) => {
    expect(typeof decode(text)).toBe("string");
  });
});
