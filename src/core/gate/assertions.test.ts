import { describe, expect, test } from "vitest";
import { makeCase, makeCases, makeContract, makeRun, makeTestsEntry } from "../../../test/fixtures/facts-builders.ts";
import type { TestsEntry } from "../contract/index.ts";
import type { TestCase, TestIdentity } from "../facts/index.ts";
import { assertionFindings } from "./assertions.ts";
import { viewEntry } from "./entry-view.ts";

interface Row {
  readonly before?: readonly TestIdentity[] | null;
  readonly after?: readonly TestIdentity[] | null;
  readonly head?: readonly TestCase[];
  readonly entry?: Partial<TestsEntry>;
}

const identity = (title: string, file = "tests/slug.test.ts"): TestIdentity => {
  const { state: _state, errors: _errors, ...rest } = makeCase({ title, file });
  return rest;
};
const silent = (list: readonly TestIdentity[] | null) => (list === null ? {} : { without_assertions: list });

/** Three tests on base, `case 1` to `case 3`; four on head unless given. */
function judge({ before = [], after = [], head = makeCases(4), entry = {} }: Row): readonly string[] {
  const view = viewEntry(makeContract(), 0, {
    entry: makeTestsEntry(entry),
    base: makeRun({ purpose: "base", cases: makeCases(3), ...silent(before) }),
    head: makeRun({ cases: head, ...silent(after) }),
  });
  return assertionFindings(view).map((one) => `${one.severity} ${one.code} ${one.subject.split(" > ").at(-1) ?? ""}`);
}

const other = "tests/other.test.ts";
const [one, four] = [identity("case 1"), identity("case 4")];

describe("tests that pass without asserting anything", () => {
  const rows: readonly (readonly [string, Row, readonly string[]])[] = [
    ["a base test that asserted before blocks", { after: [one] }, ["block assertions-lost case 1"]],
    ["one that did not assert on base either may stand", { before: [one], after: [one] }, []],
    ["one that now asserts is no finding", { before: [one], after: [] }, []],
    [
      "[E14] a new one in a file where every test asserts blocks",
      { after: [four] },
      ["block test-without-assertion case 4"],
    ],
    [
      "a new one beside base tests that assert nothing is a warning",
      { before: [one], after: [four] },
      ["warn test-without-assertion case 4"],
    ],
    [
      "what other files do says nothing of this one",
      { before: [identity("x", other)], after: [four] },
      ["block test-without-assertion case 4"],
    ],
    [
      "in a new file, one beside tests that assert blocks",
      {
        head: [...makeCases(3), makeCase({ file: other, title: "a" }), makeCase({ file: other, title: "b" })],
        after: [identity("a", other)],
      },
      ["block test-without-assertion a"],
    ],
    [
      "a new file that asserts nothing at all is a warning: it may use another library",
      { head: [...makeCases(3), makeCase({ file: other, title: "a" })], after: [identity("a", other)] },
      ["warn test-without-assertion a"],
    ],
    ["a test that did not pass has findings of its own", { head: makeCases(4, { state: "failed" }), after: [one] }, []],
    ["a retired test may lose them", { after: [one], entry: { retired: ["slugify > case 1"] } }, []],
    ["keep_base: false lets base tests lose them", { after: [one], entry: { keep_base: false } }, []],
    ["a base that was not compared judges nothing", { before: null, after: [one] }, []],
    ["a head that was not compared judges nothing", { after: null }, []],
  ];
  test.each(rows)("%s", (_name, row, expected) => {
    expect(judge(row)).toEqual(expected);
  });
});
