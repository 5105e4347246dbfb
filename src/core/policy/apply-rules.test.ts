import { expect, test } from "vitest";
import type { PolicyRule } from "../facts/index.ts";
import { applyRules } from "./index.ts";

const rule = (more: Partial<PolicyRule>): PolicyRule => ({
  name: "r",
  category: "style",
  paths: ["src/**"],
  severity: "block",
  reason: "why",
  ...more,
});
const forbids = rule({ forbids: "console.log" });
const requires = rule({ requires: "Copyright" });

test.each<[string, PolicyRule, string, string | null, string | null, readonly string[]]>([
  ["a new line with the text", forbids, "src/a.ts", "a\n", "a\nconsole.log(1)\n", ["forbidden 2"]],
  ["a new file with it", forbids, "src/a.ts", null, "console.log(1)", ["forbidden 1"]],
  ["a line that base has", forbids, "src/a.ts", "console.log(1)\n", "b\nconsole.log(1)\n", []],
  [
    "one more of a line that base has",
    forbids,
    "src/a.ts",
    "console.log(1)\n",
    "console.log(1)\nconsole.log(1)\n",
    ["forbidden 2"],
  ],
  ["an edited line that keeps it", forbids, "src/a.ts", "console.log(1)\n", "console.log(2)\n", ["forbidden 1"]],
  ["another path", forbids, "test/a.ts", null, "console.log(1)", []],
  ["no such text", forbids, "src/a.ts", null, "", []],
  ["a text that has to be there and is", requires, "src/a.ts", null, "// Copyright\n", []],
  ["one that is not", requires, "src/a.ts", "// Copyright\n", "a\n", ["missing null"]],
  ["a file that is no text", forbids, "src/a.png", null, null, ["not-looked null"]],
  ["no text elsewhere", forbids, "a.png", null, null, []],
])("[B9] %s", (_what, one, path, base, head, hits) => {
  expect(applyRules([one], { path, base, head }).map(({ kind, line }) => `${kind} ${String(line)}`)).toEqual(hits);
});

test("each rule says its own, and none says nothing", () => {
  const both = [forbids, { ...requires, name: "s" }];
  expect(applyRules(both, { path: "src/a.ts", base: null, head: "console.log" }).map((hit) => hit.rule)).toEqual([
    "r",
    "s",
  ]);
  expect(applyRules([], { path: "src/a.ts", base: null, head: "console.log" })).toEqual([]);
});
