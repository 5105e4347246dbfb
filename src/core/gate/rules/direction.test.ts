import { describe, expect, test } from "vitest";
import {
  makeCase,
  makeCases,
  makeContract,
  makeInput,
  makeRun,
  makeTestsEntry,
} from "../../../../test/fixtures/facts-builders.ts";
import type { AcceptanceContract, TestsEntry } from "../../contract/index.ts";
import type { DirectionFacts, RunFacts, TestCase } from "../../facts/index.ts";
import { direction } from "./direction.ts";

const file = "tests/slug.test.ts";
const added = makeCase({ title: "case 4" });
const asserted = "AssertionError: expected 1 to be 2";
const red = (errors: readonly string[]): TestCase => ({ ...added, state: "failed", errors });
const onBase = (cases: readonly TestCase[], more: Partial<RunFacts> = {}): RunFacts =>
  makeRun({ purpose: "head-tests-on-base", cases, ...more });
const onHead = (cases: readonly TestCase[], more: Partial<RunFacts> = {}): RunFacts =>
  makeRun({ purpose: "base-tests-on-head", cases, ...more });
const broken = { project: "", file, state: "failed", errors: ["SyntaxError: no export named slug"] } as const;

interface Row {
  readonly entry?: Partial<TestsEntry>;
  readonly contract?: Partial<AcceptanceContract>;
  readonly direction?: Partial<DirectionFacts> | null;
  readonly head?: readonly TestCase[];
}

function judge(row: Row): readonly string[] {
  const measured: DirectionFacts = {
    criterion: 0,
    sources: ["src/slug.ts"],
    head_files: [{ file, reaches: ["src/slug.ts"] }],
    base_files: [file],
    head_on_base: onBase([...makeCases(3), red([asserted])]),
    base_on_head: onHead(makeCases(3)),
    not_run: null,
    ...row.direction,
  };
  const runs = [makeRun({ purpose: "base", cases: makeCases(3) }), makeRun({ cases: row.head ?? makeCases(4) })];
  const contract = makeContract({ tests: [makeTestsEntry(row.entry)], ...row.contract });
  const facts = { runs, ...(row.direction === null ? {} : { direction: [measured] }) };
  return direction(makeInput({ contract, facts })).findings.map((one) => `${one.severity} ${one.code} ${one.subject}`);
}

const green = { head_on_base: onBase(makeCases(4)) };
const name = `${file} > slugify > `;

describe("a new test of changed behaviour fails on base", () => {
  const rows: readonly (readonly [string, Row, readonly string[]])[] = [
    ["[E16] red by an assertion passes", {}, []],
    [
      "red by a missing function passes",
      { direction: { head_on_base: onBase([red(["TypeError: no function"])]) } },
      [],
    ],
    [
      "red because its file does not load on base passes",
      { direction: { head_on_base: onBase([], { modules: [broken] }) } },
      [],
    ],
    [
      "red because it never ends on base passes",
      {
        direction: { head_on_base: onBase([], { modules: [], exit: { code: null, error: "timeout", signal: null } }) },
      },
      [],
    ],
    ["[E16] green on base blocks", { direction: green }, ["block green-on-base tests[0]"]],
    [
      "[E16] a test that is skipped on base is not red",
      { direction: { head_on_base: onBase([{ ...added, state: "skipped" }]) } },
      ["block green-on-base tests[0]"],
    ],
    [
      "[E16] a test that base's run never heard of is not red",
      { direction: { head_on_base: onBase(makeCases(3)) } },
      ["block green-on-base tests[0]"],
    ],
    [
      "[E16] one red among new ones is enough",
      {
        head: makeCases(5),
        direction: { head_on_base: onBase([red([asserted]), makeCase({ title: "case 5" })]) },
      },
      [],
    ],
    [
      "unless all are asked for",
      {
        head: makeCases(5),
        entry: { red_on_base: "all" },
        direction: { head_on_base: onBase([red([asserted]), makeCase({ title: "case 5" })]) },
      },
      [`block green-on-base ${name}case 5`],
    ],
    [
      "a new test that reaches no changed source needs no red",
      { direction: { ...green, head_files: [{ file, reaches: [] }] } },
      [],
    ],
    [
      "unless some are asked for",
      { entry: { red_on_base: "some" }, direction: { ...green, head_files: [{ file, reaches: [] }] } },
      ["block green-on-base tests[0]"],
    ],
    ["`none` asks for none", { entry: { red_on_base: "none" }, direction: green }, []],
    ...(["refactor", "docs", "dependencies", "chore"] as const).map(
      (intent) => [`intent ${intent} asks for none`, { contract: { intent }, direction: green }, []] as const,
    ),
    [
      "asked for in words and not measured is undetermined",
      { entry: { red_on_base: "all" }, direction: null },
      ["undetermined direction-not-measured tests[0] head-tests-on-base"],
    ],
    [
      "no new test where one is asked for in words blocks",
      { entry: { red_on_base: "some" }, head: makeCases(3), direction: { head_on_base: null } },
      ["block green-on-base tests[0]", "warn no-new-test tests"],
    ],
    ["no new test is a warning", { head: makeCases(3) }, ["warn no-new-test tests"]],
    ["but not where `added` decides", { head: makeCases(3), entry: { added: 1 } }, []],
    ["nor where no source changed", { head: makeCases(3), direction: { sources: [] } }, []],
  ];

  test.each(rows)("%s", (_name, row, expected) => {
    expect(judge(row)).toEqual(expected);
  });
});

describe("what a test of base expected still holds", () => {
  const failing = {
    base_on_head: onHead([...makeCases(2), makeCase({ title: "case 3", state: "failed", errors: [asserted] })]),
  };
  const changed = [`block expectation-changed ${name}case 3`];
  const rows: readonly (readonly [string, Row, readonly string[]])[] = [
    ["[E17] base's copy that fails over head's sources blocks", { direction: failing }, changed],
    [
      "[E17] one that does not load any more blocks",
      { direction: { base_on_head: onHead([], { modules: [broken] }) } },
      [1, 2, 3].map((number) => `block expectation-changed ${name}case ${number}`),
    ],
    ["`retired` lets it go", { entry: { retired: ["slugify > case 3"] }, direction: failing }, []],
    ["`may_update` by name", { entry: { may_update: ["slugify > case 3"] }, direction: failing }, []],
    ["`may_update` by glob", { entry: { may_update: ["tests/**"] }, direction: failing }, []],
    [
      "`may_update` by snapshot",
      { entry: { may_update: ["tests/__snapshots__/slug.test.ts.snap"] }, direction: failing },
      [],
    ],
    [
      "`may_update` of another file opens nothing",
      { entry: { may_update: ["tests/other.ts"] }, direction: failing },
      changed,
    ],
    ["`keep_base: false` asks for none of them", { entry: { keep_base: false }, direction: failing }, []],
    [
      "[E12] a run over head's sources that is not to be believed blocks",
      { direction: { base_on_head: onHead(makeCases(3), { faults: [{ code: "frame-mac", detail: "" }] }) } },
      ["block evidence-frame-mac tests[0] base-tests-on-head"],
    ],
  ];

  test.each(rows)("%s", (_name, row, expected) => {
    expect(judge(row)).toEqual(expected);
  });
});
