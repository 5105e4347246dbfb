import { describe, expect, test } from "vitest";
import type { RunCase } from "./case-schema.ts";
import { judgeCase } from "./judge-case.ts";
import { renderTotals } from "./render-table.ts";
import { readOutcome, type Outcome } from "./read-outcome.ts";

const blocked: Outcome = {
  outcome: "blocked",
  grade: "A",
  codes: ["green-on-base"],
  warns: [],
  b: "passed",
  counts: "passed",
  said: [],
};
const passed: Outcome = { ...blocked, outcome: "passed", codes: [] };
const data: RunCase = {
  version: 1,
  kind: "cheat",
  number: 18,
  name: "n",
  mechanism: "m",
  runner: "vitest",
  base: "b",
  contract: {},
  expected: { outcome: "blocked", codes: ["green-on-base"], b: "passed", counts: "passed" },
  twin: { folder: "honest" },
};
const one = (more: Partial<RunCase> = {}) => ({ id: "one", folder: "f", data: { ...data, ...more } });
const listed = one({ expected_survivor: "nobody looks there yet" });
const failed: Outcome = { ...passed, outcome: "error", said: ["no machine"] };

describe("what was seen is held against what the case says", () => {
  test.each([
    ["stopped by its code, twin passed", one(), blocked, passed, "blocked"],
    ["a listed survivor that passes", listed, passed, passed, "survived"],
    ["a cheat that passes", one(), passed, passed, "wrong"],
    ["a listed survivor that is stopped now", listed, blocked, passed, "wrong"],
    ["a listed survivor that ends in an error", listed, failed, passed, "wrong"],
    ["stopped by another code", one(), { ...blocked, codes: ["passed-count"] }, passed, "wrong"],
    ["stopped earlier than it says", one(), { ...blocked, b: "blocked" } as const, passed, "wrong"],
    ["an error is no block", one(), failed, passed, "wrong"],
    ["a twin that is blocked", one(), blocked, blocked, "wrong"],
    ["a twin that was not run", one(), blocked, null, "wrong"],
  ])("%s", (_name, which, own, twin, status) => {
    expect(judgeCase(which, { own, twin }).status).toBe(status);
  });

  test("a blocked twin is a false block", () => {
    expect(judgeCase(one(), { own: blocked, twin: blocked }).falseBlock).toBe(true);
    expect(judgeCase(one(), { own: blocked, twin: passed }).falseBlock).toBe(false);
  });

  test("a case that is not run counts as nothing", () => {
    const { expected: _expected, twin: _twin, base: _base, contract: _contract, ...named } = data;
    const row = judgeCase(
      { id: "later", folder: "f", data: { ...named, not_run: "no runner" } },
      { own: null, twin: null },
    );
    expect(row.status).toBe("not-run");
    expect(renderTotals([row])).toContain("0 / 0 blocked");
    expect(renderTotals([row])).toContain("not run: later: no runner");
  });
});

test.each([
  ["no output", ""],
  ["an error", '{"error":{"code":"environment"}}'],
])("an answer with %s is an error, never a pass", (_name, stdout) => {
  const { outcome, b, counts } = readOutcome({ exit: 0, stdout, stderr: "" });
  expect([outcome, b, counts]).toEqual(["error", "error", "error"]);
});
