import { expect, test } from "vitest";
import { stateText } from "./test-identity.ts";

test.each([
  ["a plain state", { state: "skipped", errors: [] }, "skipped"],
  ["the first line of the first error", { state: "failed", errors: ["Error: a\n  at b", "c"] }, "failed: Error: a"],
  ["an error that begins with blank lines", { state: "failed", errors: ["\n\n Error: a"] }, "failed: Error: a"],
  ["an error without words", { state: "failed", errors: [" "] }, "failed"],
] as const)("a state for people: %s", (_name, one, text) => {
  expect(stateText(one)).toBe(text);
});

test("a state for people is bounded", () => {
  expect(stateText({ state: "failed", errors: ["x".repeat(10_000)] })).toHaveLength(308);
});
