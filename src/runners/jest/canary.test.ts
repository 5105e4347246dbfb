import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import type { PlantedTest } from "../../core/facts/index.ts";
import { filtersJestTitles, plantJestCanary } from "./canary.ts";

const planted: readonly PlantedTest[] = [
  { suite: ["s"], title: "twin", kind: "twin", fails_by: "assertion" },
  { suite: [], title: "random", kind: "stray", fails_by: "throw" },
];

interface Seen {
  readonly title: string;
  readonly failed: boolean;
}

/** Runs planted script text with a runner of ten lines: what was declared, and whether each test failed. */
function runScript(text: string, scope: "globals" | "required"): readonly Seen[] {
  const seen: Seen[] = [];
  const api = {
    describe: (_title: string, body: () => void) => body(),
    it: (title: string, body: () => void) => {
      try {
        body();
        seen.push({ title, failed: false });
      } catch {
        seen.push({ title, failed: true });
      }
    },
    expect: (a: unknown) => ({
      toBe: (b: unknown) => {
        if (a !== b) throw new Error("differs");
      },
    }),
  };
  const given = scope === "globals" ? api : { require: () => api };
  runInNewContext(text, given);
  return seen;
}

describe("must-fail tests in a jest file", () => {
  it.each<["globals" | "required", string]>([
    ["globals", `describe("s", () => { it("real", () => { expect(1).toBe(1); }); });`],
    [
      "required",
      `const { describe, it, expect } = require("@jest/globals");\ndescribe("s", () => { it("real", () => { expect(1).toBe(1); }); });`,
    ],
  ])("[E12] stand inside their suite and fail, with jest's functions from %s", (scope, text) => {
    const made = plantJestCanary({ path: "a.test.js", text, planted, seed: "0123456789ab", beside: [] }) ?? "";
    expect(runScript(made, scope)).toEqual([
      { title: "real", failed: false },
      { title: "twin", failed: true },
      { title: "random", failed: true },
    ]);
  });

  it("a module imports them as the file does", () => {
    const text = `import { it } from "@jest/globals";\nit("real", () => {});`;
    const made = plantJestCanary({ path: "a.test.ts", text, planted, seed: "0123456789ab", beside: [] });
    expect(made).toMatch(/import \{ describe as \w+, it as \w+, expect as \w+ \} from "@jest\/globals";/u);
  });

  it("no whole code cannot be planted in", () => {
    expect(plantJestCanary({ path: "a.test.js", text: "it(", planted, seed: "0", beside: [] })).toBeNull();
  });

  it.each([
    [["-t", "a"], true],
    [["--testNamePattern=a"], true],
    [["--test-name-pattern", "a"], true],
    [["--testTimeout=9", "a.test.js"], false],
  ])("%j picks titles: %s", (args, picks) => {
    expect(filtersJestTitles(args)).toBe(picks);
  });
});
