import { describe, expect, test } from "vitest";
import { exitOne, makeCase, makeCases } from "../../../../test/fixtures/facts-builders.ts";
import { judge, type Row } from "../../../../test/fixtures/judge-tests-entry.ts";

const command = "npx vitest run tests/slug.test.ts";
const red = makeCase({ title: "case 3", state: "failed" });
const redHead = {
  cases: [...makeCases(2), red, makeCase({ title: "case 4" })],
  exit: exitOne,
  reason: "failed" as const,
};
const ofDay = (until: string, name = red.title) => [{ test: name, reason: "times out", until }];
const whole = [...red.suite, red.title].join(" > ");
const open = (row: Row): Row => ({
  changed: ["src/a.ts"],
  ...row,
  contract: { tests: [{ command }], ...row.contract },
});

describe("a test in quarantine", () => {
  const rows: readonly (readonly [string, Row, readonly string[], readonly string[]])[] = [
    [
      "may fail until its day, and is told",
      open({ head: redHead, quarantine: ofDay("2026-06-15", whole) }),
      [],
      ["quarantined"],
    ],
    [
      "may be named with its file",
      open({ head: redHead, quarantine: ofDay("2026-12-31", `${red.file} > ${whole}`) }),
      [],
      ["quarantined"],
    ],
    [
      "that has ended blocks again, and the end is told",
      open({ head: redHead, quarantine: ofDay("2026-06-14", whole) }),
      ["quarantine-ended", "run-not-passed", "test-exit", "test-not-plainly-passed", "test-regressed"],
      [],
    ],
    [
      "[E17] does not cover a file that the change touches",
      open({ head: redHead, quarantine: ofDay("2026-12-31", whole), changed: [red.file] }),
      ["run-not-passed", "test-exit", "test-not-plainly-passed", "test-regressed"],
      [],
    ],
    [
      "[E14] may not be removed",
      open({ head: { cases: makeCases(2) }, quarantine: ofDay("2026-12-31", whole) }),
      ["test-removed"],
      [],
    ],
    [
      "[E14] may not be skipped",
      open({
        head: { cases: [...makeCases(2), { ...red, state: "skipped" }] },
        quarantine: ofDay("2026-12-31", whole),
      }),
      ["test-removed"],
      [],
    ],
    [
      "[E17] hides no other test that fails",
      open({
        head: { ...redHead, cases: [...redHead.cases.slice(0, 3), makeCase({ title: "case 4", state: "failed" })] },
        quarantine: ofDay("2026-12-31", whole),
      }),
      ["test-not-plainly-passed"],
      ["quarantined"],
    ],
    [
      "says nothing where another test fails",
      open({ head: redHead, quarantine: ofDay("2026-12-31", "case 1") }),
      ["run-not-passed", "test-exit", "test-not-plainly-passed", "test-regressed"],
      [],
    ],
    [
      "does not count where base has to be green",
      open({
        head: redHead,
        quarantine: ofDay("2026-12-31", whole),
        contract: { tests: [{ command }], baseline: "green" },
      }),
      ["run-not-passed", "test-exit", "test-not-plainly-passed", "test-regressed"],
      [],
    ],
    ["that passes is not told", open({ quarantine: ofDay("2026-12-31", whole) }), [], []],
    ["an empty list changes nothing", open({ quarantine: [] }), [], []],
  ];

  test.each(rows)("%s", (_what, row, codes, infos) => {
    const told = judge(row);
    expect(told.codes).toEqual(codes);
    expect(told.infos).toEqual(infos);
  });
});
