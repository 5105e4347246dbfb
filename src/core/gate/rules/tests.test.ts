import { describe, expect, test } from "vitest";
import { exitOne, exitZero, makeCase, makeCases, makeRun } from "../../../../test/fixtures/facts-builders.ts";
import { judge, type Row } from "../../../../test/fixtures/judge-tests-entry.ts";
import type { TestCase } from "../../facts/index.ts";
import { faultCodes } from "../finding-codes.ts";

const four = makeCases(4);
const withState = (state: TestCase["state"]): TestCase[] => [...makeCases(4), makeCase({ title: "odd", state })];

const emptyModule = { project: "", file: "tests/helper.js", state: "passed", errors: [] } as const;

describe("all signals of the head run must agree", () => {
  const rows: readonly (readonly [string, Row, readonly string[]])[] = [
    ["[D5] the exact number of passed tests passes", {}, []],
    ["[E7] fewer passed than expected fails", { head: { cases: makeCases(3) } }, ["passed-count"]],
    ["[E7] MORE passed than expected fails", { head: { cases: makeCases(5) } }, ["passed-count"]],
    ["[E15] a run that rewrote the tree fails", { head: { tree_written: ["src/slug.ts"] } }, ["tree-written"]],
    [
      "[E15] a source that was rewritten and put back fails",
      { head: { tree_put_back: ["src/slug.ts"] } },
      ["tree-written"],
    ],
    [
      "what base's own run rewrites and puts back too may stand",
      { head: { tree_put_back: ["src/slug.ts"] }, base: { tree_put_back: ["src/slug.ts"] } },
      [],
    ],
    [
      "what base's own run rewrites too may stand",
      { head: { tree_written: ["log.txt"] }, base: { tree_written: ["log.txt"] } },
      [],
    ],
    ["[E7] the right count with exit 1 fails", { head: { exit: exitOne } }, ["test-exit"]],
    [
      "[E7] the right count where the runner says failed, exit 0, fails",
      { head: { reason: "failed" } },
      ["run-not-passed"],
    ],
    ["an interrupted run fails", { head: { reason: "interrupted" } }, ["run-not-passed"]],
    [
      "[E7] a failed test beside the expected passes fails",
      { head: { cases: withState("failed") } },
      ["run-not-passed", "test-exit", "test-not-plainly-passed"],
    ],
    [
      "a failed test that the exit code hides fails",
      { head: { cases: withState("failed"), exit: exitZero, reason: "passed" } },
      ["test-not-plainly-passed"],
    ],
    ["[E14] a retried test is no plain pass", { head: { cases: withState("retried") } }, ["test-not-plainly-passed"]],
    ["[E14] a pending test is no plain pass", { head: { cases: withState("pending") } }, ["test-not-plainly-passed"]],
    [
      "[E14] a new expected failure is no plain pass",
      { head: { cases: withState("expected-failure") } },
      ["test-not-plainly-passed"],
    ],
    [
      "[E14] a skipped test is not counted, and blocks nothing when base had none",
      { head: { cases: withState("skipped") } },
      [],
    ],
    [
      "[E14] todo tests do not pad the count",
      { head: { cases: [...makeCases(3), makeCase({ title: "t", state: "todo" })] } },
      ["passed-count"],
    ],
    [
      "a passed test that carries errors fails",
      { head: { cases: [...makeCases(3), makeCase({ title: "case 4", errors: ["boom"] })] } },
      ["test-not-plainly-passed"],
    ],
    [
      "[E7] no test at all fails, whatever the exit",
      { head: { cases: [], modules: [] } },
      ["no-tests-ran", "passed-count", "test-removed"],
    ],
    ["an unhandled error fails, also with exit 0", { head: { unhandled: ["Error: late"] } }, ["unhandled-error"]],
    [
      "a file that did not load fails",
      { head: { modules: [{ project: "", file: "tests/slug.test.ts", state: "failed", errors: ["SyntaxError"] }] } },
      ["module-failed"],
    ],
    [
      "a file with no test in it fails",
      {
        head: {
          modules: [
            { project: "", file: "tests/slug.test.ts", state: "passed", errors: [] },
            { project: "", file: "tests/empty.test.ts", state: "passed", errors: [] },
          ],
        },
      },
      ["module-empty"],
    ],
    [
      "a helper beside the tests that the runner takes for one of them, on base too, may stand",
      {
        head: { modules: [...makeRun().modules, emptyModule] },
        base: { modules: [...makeRun().modules, emptyModule] },
      },
      [],
    ],
    [
      "a file that lost its tests is no such helper",
      {
        head: { modules: [...makeRun().modules, emptyModule] },
        base: {
          cases: [...makeCases(3), makeCase({ file: emptyModule.file, title: "lost", state: "skipped" })],
          modules: [...makeRun().modules, emptyModule],
        },
      },
      ["module-empty"],
    ],
    [
      "[B4] a run without an exit code is never a pass",
      { head: { exit: { code: null, error: "timeout", signal: null } } },
      ["null-exit"],
    ],
    [
      "a run that was killed for memory is never a pass",
      { head: { exit: { code: null, error: "memory", signal: "SIGKILL" } } },
      ["null-exit"],
    ],
    [
      "two exit codes that differ are never a pass",
      { head: { exit: { code: 0, error: "codes-differ", signal: null } } },
      ["null-exit"],
    ],
    [
      "[E12] a second witness that differs blocks, also without its fault",
      { head: { second_witness: "differs" } },
      ["evidence-second-witness-differs"],
    ],
    ["a second witness that is absent blocks nothing", { head: { second_witness: "absent" } }, []],
    [
      "the same identity twice is broken evidence",
      { head: { cases: [...makeCases(3), makeCase({ title: "case 1" })] } },
      ["evidence-identity-twice"],
    ],
    ["[B15] a run over another tree is stale", { head: { tree: "d".repeat(40) } }, ["stale-run"]],
    [
      "a run of another command is no evidence",
      { head: { declared_argv: ["npx", "vitest", "run", "tests/other.test.ts"] } },
      ["run-unasked"],
    ],
    ["[E7] a head run that is missing is undetermined, never a pass", { head: null }, ["test-not-run"]],
    ["a base run that is missing is undetermined, never a pass", { base: null }, ["test-not-run"]],
  ];
  test.each(rows)("%s", (_name, row, codes) => {
    const judged = judge(row);
    expect(judged.codes).toEqual([...codes].sort());
    const undetermined = codes.length === 1 && codes[0] === "test-not-run";
    expect(judged.outcome).toBe(codes.length === 0 ? "passed" : undetermined ? "undetermined" : "failed");
  });

  test.each(faultCodes)("[E5] evidence with %s blocks, on head and on base", (code) => {
    const faults = [{ code, detail: "seen" }];
    expect(judge({ head: { faults } }).codes).toEqual([`evidence-${code}`]);
    expect(judge({ base: { faults } }).codes).toEqual([`evidence-${code}`]);
  });

  test("[E6] a fake summary that a test prints is not read", () => {
    const stdout = { head: "Tests  4 passed (4)\n", tail: "", omitted_lines: 0, omitted_bytes: 0 };
    expect(judge({ head: { cases: makeCases(3), stdout } }).codes).toEqual(["passed-count"]);
  });
});

describe("counts and names", () => {
  const rows: readonly (readonly [string, Row, readonly string[]])[] = [
    ["added is head minus base, exactly", { entry: { added: 1 } }, []],
    [
      "[E10] added tests that were promised and not written fail",
      { entry: { passed: 3, added: 1 }, head: { cases: makeCases(3) } },
      ["added-count"],
    ],
    [
      "more added than promised fails",
      { entry: { passed: 5, added: 1 }, head: { cases: makeCases(5) } },
      ["added-count"],
    ],
    [
      "[E14] tests removed and padded again are found by identity, not by count",
      { entry: { passed: 3, added: 0 }, head: { cases: [...makeCases(2), makeCase({ title: "padding" })] } },
      ["test-removed"],
    ],
    ["a named test that passes is found", { entry: { names: ["slugify > case 4"] } }, []],
    [
      "a named test is found with its file in front",
      { entry: { names: ["tests/slug.test.ts > slugify > case 4"] } },
      [],
    ],
    ["a named test that does not exist fails", { entry: { names: ["slugify > case 9"] } }, ["named-test"]],
    ["part of a name is not the name", { entry: { names: ["case 4"] } }, ["named-test"]],
    [
      "[E14] a named test that is skipped fails",
      { entry: { passed: 4, names: ["slugify > odd"] }, head: { cases: withState("skipped") } },
      ["named-test"],
    ],
    [
      "a skipped twin in another file does not hide behind a passed one",
      {
        entry: { names: ["slugify > case 4"] },
        head: { cases: [...four, makeCase({ file: "tests/b.test.ts", title: "case 4", state: "skipped" })] },
      },
      ["named-test"],
    ],
  ];
  test.each(rows)("%s", (_name, row, codes) => {
    expect(judge(row).codes).toEqual([...codes].sort());
  });

  test("[E11] the line says command, exit, counts and what was expected", () => {
    const command = "npx vitest run tests/slug.test.ts";
    expect(judge({}).detail).toBe(`${command}: exit 0, 4 passed, 0 failed (expected 4 passed)`);
    expect(judge({ entry: { added: 1, names: ["a"] } }).detail).toBe(
      `${command}: exit 0, 4 passed, 0 failed, 1 added (expected 4 passed, 1 added, 1 named)`,
    );
    expect(judge({ head: { exit: { code: null, error: "timeout", signal: null } } }).detail).toBe(
      `${command}: exit none (timeout), 4 passed, 0 failed (expected 4 passed)`,
    );
    expect(judge({ head: null }).detail).toBe(`${command}: did not run`);
  });
});

describe("tests of base are kept", () => {
  const swapped = (state: TestCase["state"]): TestCase[] => [
    makeCase({ title: "case 1", state }),
    ...makeCases(4).slice(1),
  ];
  const rows: readonly (readonly [string, Row, readonly string[]])[] = [
    [
      "[E14] a base test that is gone blocks",
      { entry: { passed: 3 }, head: { cases: makeCases(4).slice(1) } },
      ["test-removed"],
    ],
    [
      "[E14] a base test that is skipped now blocks",
      { entry: { passed: 3 }, head: { cases: swapped("skipped") } },
      ["test-removed"],
    ],
    [
      "[E14] a base test that is todo now blocks",
      { entry: { passed: 3 }, head: { cases: swapped("todo") } },
      ["test-removed"],
    ],
    [
      "[E17] a base test that fails now blocks",
      { entry: { passed: 3 }, head: { cases: swapped("failed") } },
      ["run-not-passed", "test-exit", "test-not-plainly-passed", "test-regressed"],
    ],
    [
      "keep_base false lets tests go",
      { entry: { passed: 3, keep_base: false }, head: { cases: makeCases(4).slice(1) } },
      [],
    ],
    [
      "a retired test may go",
      { entry: { passed: 3, retired: ["slugify > case 1"] }, head: { cases: makeCases(4).slice(1) } },
      [],
    ],
    [
      "a retired file's tests may go",
      { entry: { passed: 1, retired: ["tests/slug.*"] }, head: { cases: [makeCase({ file: "tests/new.test.ts" })] } },
      [],
    ],
    [
      "retiring one test retires no other",
      { entry: { passed: 2, retired: ["slugify > case 1"] }, head: { cases: makeCases(4).slice(2) } },
      ["test-removed"],
    ],
    [
      "a test that failed on base owes nothing",
      { base: { cases: [...makeCases(3), makeCase({ title: "gone", state: "failed" })] } },
      [],
    ],
    [
      "[E14] a twin with the same title is another identity",
      { entry: { passed: 4 }, base: { cases: [...makeCases(3), makeCase({ title: "case 1", ordinal: 1 })] } },
      ["test-removed"],
    ],
  ];
  test.each(rows)("%s", (_name, row, codes) => {
    expect(judge(row).codes).toEqual([...codes].sort());
  });
});
