import { expect, test } from "vitest";
import type { Outcome } from "./read-outcome.ts";
import { countOutcomes } from "./repeat-case.ts";

const blocked: Outcome = {
  outcome: "blocked",
  grade: "A",
  codes: ["passed-count", "test-exit"],
  warns: [],
  b: "blocked",
  counts: "blocked",
  said: [],
};
const other: Outcome = { ...blocked, codes: ["test-exit"] };
const undetermined: Outcome = { ...blocked, outcome: "undetermined" };

test.each<[string, readonly Outcome[], number, readonly string[]]>([
  ["stopped each time", [blocked, other, undetermined], 3, ["test-exit"]],
  ["an error stops nothing", [blocked, { ...blocked, outcome: "error", codes: [] }], 1, []],
  ["once through is once too often", [blocked, { ...blocked, outcome: "passed", codes: [] }], 1, []],
])("%s", (_name, outcomes, stopped, always) => {
  expect(countOutcomes("s", outcomes)).toEqual({ side: "s", runs: outcomes.length, blocked: stopped, always });
});
