import { expect, test } from "vitest";
import { decideConclusion } from "./decide-conclusion.ts";

const outcomes = ["passed", "blocked", "undetermined", "unchecked"] as const;
const authors = ["person", "bot", "unknown", null] as const;
const all = outcomes.flatMap((outcome) =>
  authors.flatMap((author) => [false, true].map((requireContract) => ({ outcome, author, requireContract }))),
);

test.each(all)("[C8] $outcome by $author, contract required: $requireContract", (asked) => {
  const { exit, notice } = decideConclusion(asked);
  const optional = asked.outcome === "unchecked" && !asked.requireContract;
  const silent = optional && (asked.author === "person" || asked.author === null);
  const expected = { passed: 0, blocked: 1, undetermined: 3, unchecked: silent ? 0 : 3 }[asked.outcome];
  expect(exit).toBe(expected);
  // Whatever passes without being proven says so.
  expect(notice !== null).toBe(exit === 0 && asked.outcome !== "passed");
});
