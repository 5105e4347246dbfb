import { expect, test } from "vitest";
import { makeCase, makeCases, makeContract, makeFacts, makeRun } from "../../../test/fixtures/facts-builders.ts";
import type { TestCase } from "../facts/index.ts";
import { measureMovement } from "./measured-movement.ts";

const known = (state: TestCase["state"]): TestCase => makeCase({ title: "a known one", state });

test.each([
  ["only plain passes", [], [], true],
  ["one that base skipped too", [known("skipped")], [known("skipped")], true],
  ["one that fails as base declares it to", [known("expected-failure")], [known("expected-failure")], true],
  ["one that the change declares to fail", [known("passed")], [known("expected-failure")], false],
  ["a new one that is declared to fail", [], [known("expected-failure")], false],
  ["one that fails", [known("expected-failure")], [known("failed")], false],
] as const)("whether all tests pass, with %s", (_name, onBase, onHead, expected) => {
  const run = (purpose: "base" | "head", more: readonly TestCase[]) =>
    makeRun({ purpose, cases: [...makeCases(3), ...more] });
  const facts = makeFacts({ runs: [run("base", onBase), run("head", onHead)] });
  expect(measureMovement(facts, makeContract()).all_pass).toBe(expected);
});
