import { describe, expect, test } from "vitest";
import { makeCases, makeContract, makeFacts, makeRun } from "../../../test/fixtures/facts-builders.ts";
import { compareClaim } from "./compare-claim.ts";
import { parseClaim } from "./parse-claim.ts";

const rows: readonly (readonly [string, number | null, number | null, boolean])[] = [
  ["I appended two tests and 15 pass.", 2, 15, false],
  ["Added 3 new unit tests. All tests pass.", 3, null, true],
  ["Two tests were added; now 17 tests are passing.", 2, 17, false],
  ["15 passed before, now 17 pass.", null, 17, false],
  ["17/17 tests passed", null, 17, false],
  ["**4 tests** pass", null, 4, false],
  ["All 17 tests now pass", null, 17, true],
  ["The full test suite is green.", null, null, true],
  ["Everything passes.", null, null, true],
  ["I wrote a test for the blank case.", 1, null, false],
  ["Not all tests pass yet.", null, null, false],
  ["All tests should pass.", null, null, false],
  ["All tests do not pass.", null, null, false],
  ["I could not add two tests.", null, null, false],
  ["Renamed the helper.", null, null, false],
  ["", null, null, false],
];

test.each(rows)("%s", (text, added, passed, all) => {
  expect(parseClaim(text)).toEqual({ text, tests_added: added, tests_passed: passed, says_all_pass: all });
});

test("a long text is read at its end, in bounded time", () => {
  const text = `${"all tests ".repeat(200_000)} Added two tests.`;
  expect(parseClaim(text).tests_added).toBe(2);
});

describe("claimed beside verified", () => {
  const facts = makeFacts();
  test("what agrees, and what does not", () => {
    const claim = parseClaim("Added two tests, 4 pass. All tests pass.");
    expect(compareClaim(facts, makeContract(), claim)).toEqual([
      { about: "tests added", claimed: "2", verified: "1", standing: "contradicted" },
      { about: "tests passed", claimed: "4", verified: "4", standing: "agrees" },
      { about: "all tests pass", claimed: "yes", verified: "yes", standing: "agrees" },
    ]);
  });
  test("where nothing was run, nothing is verified", () => {
    const rows = compareClaim(makeFacts({ runs: [] }), null, parseClaim("All tests pass."));
    expect(rows).toEqual([
      { about: "all tests pass", claimed: "yes", verified: "not measured", standing: "not measured" },
    ]);
  });
  test("a run with a failed test contradicts that all pass", () => {
    const runs = [makeRun({ cases: makeCases(4, { state: "failed" }) })];
    expect(compareClaim(makeFacts({ runs }), null, parseClaim("all tests pass"))[0]?.standing).toBe("contradicted");
  });
});
