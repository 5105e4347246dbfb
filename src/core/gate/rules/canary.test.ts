import { describe, expect, test } from "vitest";
import { exitOne, makeCase, makeCases, makeInput, makeRun } from "../../../../test/fixtures/facts-builders.ts";
import type { CanaryFacts, PlantedTest, RunFacts, TestCase } from "../../facts/index.ts";
import { canary } from "./canary.ts";

const file = "tests/slug.test.ts";
const fail = (title: string, more: Partial<TestCase> = {}): TestCase =>
  makeCase({ title, state: "failed", errors: ["AssertionError: no"], ...more });
const twin = (title: string): PlantedTest => ({ suite: ["slugify"], title, kind: "twin", fails_by: "throw" });
const stray: PlantedTest = { suite: [], title: "reads a key 77", kind: "stray", fails_by: "assertion" };
const planted = [twin("case 1"), twin("case 2"), stray];
const real = makeCases(4);
const failing = [fail("case 1", { ordinal: 1 }), fail("case 2", { ordinal: 1 }), fail(stray.title, { suite: [] })];
const good = [...real, ...failing];
const run = (cases: readonly TestCase[], more: Partial<RunFacts> = {}): RunFacts =>
  makeRun({ purpose: "canary", tree: "d".repeat(40), cases, exit: exitOne, reason: "failed", ...more });
const without = (cases: readonly TestCase[], ...gone: readonly TestCase[]): TestCase[] =>
  cases.filter((one) => !gone.includes(one));
const passing = (one: TestCase): TestCase => ({ ...one, state: "passed", errors: [] });
const [firstTwin, , straying] = failing as [TestCase, TestCase, TestCase];
const [firstReal] = real as [TestCase];

const rows: readonly (readonly [string, readonly RunFacts[], readonly string[]])[] = [
  ["[E12] all planted fail and all real pass: nothing is said", [run(good)], []],
  [
    "[E12] a twin that passes is flipped",
    [run([...without(good, firstTwin), passing(firstTwin)])],
    [`block canary-flipped ${file} > slugify > case 1`],
  ],
  [
    "[E12] a stray that passes is flipped",
    [run([...without(good, straying), passing(straying)])],
    [`block canary-flipped ${file} > reads a key 77`],
  ],
  [
    "[E12] a twin that is not there is flipped",
    [run(without(good, firstTwin))],
    [`block canary-flipped ${file} > slugify > case 1`],
  ],
  [
    "[E12] a skipped stray is flipped",
    [run([...without(good, straying), { ...straying, state: "skipped", errors: [] }])],
    [`block canary-flipped ${file} > reads a key 77`],
  ],
  [
    "[E12] a real test that fails beside them is not as on head",
    [run([...without(good, firstReal), { ...firstReal, state: "failed" }])],
    [`block canary-flipped ${file} > slugify > case 1`],
  ],
  [
    "one that fails now and then passes in the second run",
    [run([...without(good, firstReal), { ...firstReal, state: "failed" }]), run(good)],
    [],
  ],
  [
    "[E12] but a flipped one is flipped, whatever the second run says",
    [run([...without(good, firstTwin), passing(firstTwin)]), run(good)],
    [`block canary-flipped ${file} > slugify > case 1`],
  ],
  [
    "[E12] a run that is not to be believed blocks under its own name",
    [run(good, { faults: [{ code: "exit-differs", detail: "exit 0" }] })],
    ["block evidence-exit-differs tests[0] canary"],
  ],
  ["[E12] no run is no pass", [], ["undetermined canary-not-run tests[0] canary"]],
];

function judge(facts: Partial<CanaryFacts>): readonly string[] {
  const one: CanaryFacts = { criterion: 0, files: [{ file, planted }], runs: [], not_run: null, ...facts };
  const { findings } = canary(makeInput({ facts: { canary: [one] } }));
  return findings.map(({ severity, code, subject }) => `${severity} ${code} ${subject}`);
}

describe("must-fail tests beside the real ones", () => {
  test.each(rows)("%s", (_name, runs, expected) => {
    expect(judge({ runs })).toEqual(expected);
  });

  test("[E12] of two twins of one name one that is skipped is flipped, although the other fails", () => {
    const both = [fail("case 3", { ordinal: 1 }), fail("case 3", { ordinal: 2, state: "skipped" })];
    const findings = judge({
      files: [{ file, planted: [twin("case 3"), twin("case 3")] }],
      runs: [run([...real, ...both])],
    });
    expect(new Set(findings)).toEqual(new Set([`block canary-flipped ${file} > slugify > case 3`]));
  });

  test("a run that was not due says nothing here: the grade says it", () => {
    expect(judge({ files: [], not_run: "the runner has none" })).toEqual([]);
  });

  test("a canary of no entry blocks", () => {
    expect(judge({ criterion: 3 })).toEqual(["block run-unasked tests[3] canary"]);
  });
});
