import { describe, expect, it } from "vitest";
import type { PlantedTest } from "../../core/facts/index.ts";
import { filtersNodeTestTitles, plantNodeTestCanary } from "./canary.ts";

const planted: readonly PlantedTest[] = [
  { suite: ["outer"], title: "a", kind: "twin", fails_by: "assertion" },
  { suite: [], title: "stray", kind: "stray", fails_by: "throw" },
];

describe("plantNodeTestCanary", () => {
  it.each([
    [
      "a module",
      `import { describe, it } from "node:test";\ndescribe("outer", () => { it("a", () => {}); });\n`,
      "import {",
    ],
    [
      "a script",
      `const { describe, it } = require("node:test");\ndescribe("outer", () => { it("a", () => {}); });\n`,
      "require(",
    ],
  ])("[E12] %s gets its tests by its own kind of import", (_name, text, how) => {
    const code = plantNodeTestCanary({ path: "a.test.js", text, planted, seed: "0f", beside: [] }) ?? "";
    const [before = "", after = ""] = code.split("\n;");
    expect(before).toContain(`check_0f("a", () => { same_0f("a", "b"); });`);
    expect(after).toContain(how);
    expect(after).toContain(`check_0f("stray", () => { throw new Error("no"); });`);
  });

  it.each([
    [["--test-name-pattern", "x"], true],
    [["--test-skip-pattern=x"], true],
    [["--test-timeout=1", "a.test.js"], false],
  ])("%j runs only some titles: %s", (args, filters) => {
    expect(filtersNodeTestTitles(args)).toBe(filters);
  });
});
