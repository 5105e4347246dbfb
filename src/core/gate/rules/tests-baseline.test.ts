import { describe, expect, test } from "vitest";
import { exitOne, exitZero, makeCase, makeCases, makeTestsEntry } from "../../../../test/fixtures/facts-builders.ts";
import { judge, type Row } from "../../../../test/fixtures/judge-tests-entry.ts";
import type { TestsEntry } from "../../contract/index.ts";

describe("baseline", () => {
  const red = makeCase({ title: "red", state: "failed" });
  const redHead = { cases: [...makeCases(4), red] };
  const redBase = { cases: [...makeCases(3), red] };
  const flakyHead = { cases: [...makeCases(2), { ...red, title: "case 3" }, makeCase({ title: "case 4" })] };
  const goneHead = { cases: makeCases(4).filter((one) => one.title !== "case 3") };
  const goneAgain = { cases: makeCases(2) };
  const uncounted: Partial<TestsEntry> = { command: "npx vitest run tests/slug.test.ts" };
  const open = (row: Row): Row => ({
    ...row,
    contract: { tests: [{ command: uncounted.command ?? "" }], ...row.contract },
  });
  const known = makeCase({ title: "known", state: "expected-failure" });

  const rows: readonly (readonly [string, Row, readonly string[]])[] = [
    ["[E17] no-worse: a failure that base has too stands", open({ head: redHead, base: redBase }), []],
    [
      "[E17] no-worse: a new failure beside an old one blocks",
      open({ head: { cases: [...redHead.cases, makeCase({ title: "new", state: "failed" })] }, base: redBase }),
      ["test-not-plainly-passed"],
    ],
    [
      "no-worse: what fails on base too when it runs again is flaky, and stands",
      open({ head: flakyHead, again: { cases: [...makeCases(2), { ...red, title: "case 3" }] } }),
      [],
    ],
    ["no-worse: a test that comes and goes on base is not removed", open({ head: goneHead, again: goneAgain }), []],
    [
      "[E17] what passes on base again and fails on head has regressed",
      open({ head: flakyHead, again: { cases: makeCases(3) } }),
      ["run-not-passed", "test-exit", "test-not-plainly-passed", "test-regressed"],
    ],
    [
      "[E14] what base runs again and head does not is removed",
      open({ head: goneHead, again: { cases: makeCases(3) } }),
      ["test-removed"],
    ],
    [
      "[E17] a flaky test beside one that regressed hides nothing",
      open({
        head: {
          cases: [
            makeCase({ title: "case 1", state: "failed" }),
            ...makeCases(2).slice(1),
            { ...red, title: "case 3" },
          ],
        },
        again: { cases: [...makeCases(2), { ...red, title: "case 3" }] },
      }),
      ["test-not-plainly-passed", "test-regressed"],
    ],
    [
      "a further run of base that is not to be believed excuses nothing",
      open({ head: goneHead, again: { ...goneAgain, faults: [{ code: "end-missing", detail: "" }] } }),
      ["test-removed"],
    ],
    [
      "green: flaky is not green",
      open({
        contract: { baseline: "green", tests: [{ command: uncounted.command ?? "" }] },
        head: goneHead,
        again: goneAgain,
      }),
      ["test-removed"],
    ],
    [
      "no-worse: a count that is demanded must come with exit 0",
      { head: redHead, base: redBase },
      ["run-not-passed", "test-exit", "test-not-plainly-passed"],
    ],
    [
      "no-worse: an unhandled error that base has too stands",
      open({ head: { ...redHead, unhandled: ["E"] }, base: { ...redBase, unhandled: ["E"] } }),
      [],
    ],
    [
      "no-worse: a new unhandled error blocks",
      open({ head: { ...redHead, unhandled: ["E"] }, base: redBase }),
      ["unhandled-error"],
    ],
    [
      "no-worse: exit 1 that no failing test explains blocks",
      open({ head: { exit: exitOne, reason: "failed" }, base: redBase }),
      ["run-not-passed", "test-exit"],
    ],
    [
      "no-worse: failures with exit 0 block",
      open({ head: { ...redHead, exit: exitZero }, base: redBase }),
      ["run-not-passed", "test-not-plainly-passed"],
    ],
    [
      "green: a red base blocks",
      open({ contract: { baseline: "green", tests: [makeTestsEntry()] }, base: redBase }),
      ["base-not-green"],
    ],
    ["green: a green base is in order", { contract: { baseline: "green" } }, []],
    [
      "green: a failure on head blocks, also one that base has",
      { contract: { baseline: "green", tests: [{ command: uncounted.command ?? "" }] }, head: redHead, base: redBase },
      ["base-not-green", "run-not-passed", "test-exit", "test-not-plainly-passed"],
    ],
    [
      "an expected failure that base declares too is no change",
      { head: { cases: [...makeCases(4), known] }, base: { cases: [...makeCases(3), known] } },
      [],
    ],
    [
      "green: a base on which the command finds no test is not red",
      { contract: { baseline: "green" }, base: { cases: [], modules: [], exit: exitOne, reason: "failed" } },
      [],
    ],
  ];
  test.each(rows)("%s", (_name, row, codes) => {
    expect(judge(row).codes).toEqual([...codes].sort());
  });

  test("what stands is listed", () => {
    expect(judge(open({ head: redHead, base: redBase })).infos).toContain("failing-on-base");
  });
});
