import fc from "fast-check";
import { expect, test } from "vitest";
import {
  exitOne,
  exitZero,
  makeCase,
  makeCommand,
  makeContract,
  makeEntry,
  makeInput,
  makeRun,
  makeTestsEntry,
} from "../../../test/fixtures/facts-builders.ts";
import type { AcceptanceContract } from "../contract/index.ts";
import { canonicalJson, digestOf } from "../digest.ts";
import type { CommandFacts, Facts, RunFacts, TestCase } from "../facts/index.ts";
import { evaluate } from "./evaluate.ts";
import { faultCodes } from "./finding-codes.ts";
import type { GateInput } from "./rule.ts";

const states = [
  "passed",
  "passed",
  "passed",
  "failed",
  "skipped",
  "todo",
  "pending",
  "expected-failure",
  "retried",
] as const;
const cases: fc.Arbitrary<TestCase[]> = fc
  .array(fc.constantFrom(...states), { maxLength: 5 })
  .map((all) => all.map((state, index) => makeCase({ title: `case ${index + 1}`, state })));

const run = (criterion: fc.Arbitrary<number>): fc.Arbitrary<RunFacts> =>
  fc
    .record({
      criterion,
      purpose: fc.constantFrom("head" as const, "base" as const),
      cases,
      exit: fc.constantFrom(null, exitZero, exitOne),
    })
    .map(({ exit, ...row }) => makeRun(exit === null ? row : { ...row, exit }));

const command: fc.Arbitrary<CommandFacts> = fc
  .constantFrom(exitZero, exitZero, exitOne)
  .map((exit) => makeCommand({ exit }));

const tests = fc.array(
  fc
    .record({ passed: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }), keep: fc.boolean() })
    .map(({ passed, keep }) => {
      const entry = makeTestsEntry({ keep_base: keep });
      delete entry.passed;
      return passed === undefined ? entry : { ...entry, passed };
    }),
  { minLength: 1, maxLength: 2 },
);

const contract: fc.Arbitrary<AcceptanceContract | null> = fc.option(
  fc
    .record({
      tests,
      lint: fc.boolean(),
      intent: fc.constantFrom("behaviour" as const, "refactor" as const),
      baseline: fc.constantFrom("green" as const, "no-worse" as const),
    })
    .map(({ lint, ...keys }) =>
      makeContract({ ...keys, ...(lint ? { commands: [{ command: "npm run lint" }] } : {}) }),
    ),
  { freq: 8 },
);

const claim = fc.option(
  fc.record({
    text: fc.string(),
    tests_added: fc.option(fc.nat(5)),
    tests_passed: fc.option(fc.nat(20)),
    says_all_pass: fc.boolean(),
  }),
);

/** Facts of which some pass: mostly one head and one base run an entry, sometimes more, fewer or red ones. */
const input: fc.Arbitrary<GateInput> = contract.chain((chosen) => {
  const entries = [...(chosen?.tests ?? []).keys()];
  const honest = entries.flatMap((criterion) => {
    const count = chosen?.tests?.[criterion]?.passed ?? 3;
    const passed = (size: number) =>
      Array.from({ length: size }, (_, index) => makeCase({ title: `case ${index + 1}` }));
    return [
      makeRun({ criterion, cases: passed(count) }),
      makeRun({ criterion, purpose: "base", cases: passed(Math.max(0, count - 1)) }),
    ];
  });
  return fc
    .record({
      extra: fc.oneof(
        { weight: 3, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.array(run(fc.nat(2)), { maxLength: 3 }) },
      ),
      drop: fc.nat(8),
      commands: fc.oneof(
        { weight: 3, arbitrary: fc.constant([makeCommand()]) },
        { weight: 1, arbitrary: fc.array(command, { maxLength: 3 }) },
      ),
      claim,
      strict: fc.boolean(),
    })
    .map(({ extra, drop, commands, strict, ...facts }) =>
      makeInput({
        contract: chosen,
        facts: {
          ...facts,
          commands: chosen?.commands === undefined ? [] : commands,
          runs: [...honest.filter((_, index) => index !== drop), ...extra],
        },
        policy: { strict },
      }),
    );
});

function withFacts(original: GateInput, facts: Partial<Facts>): GateInput {
  return { ...original, facts: { ...original.facts, ...facts } };
}

test("the inputs hold passed, blocked, undetermined and unchecked verdicts, so that the properties say something", () => {
  const outcomes = new Set(fc.sample(input, { numRuns: 300, seed: 7 }).map((one) => evaluate(one).outcome));
  expect([...outcomes].sort()).toEqual(["blocked", "passed", "unchecked", "undetermined"]);
});

test("[B1] the same facts in any order give the same bytes", () => {
  fc.assert(
    fc.property(input, fc.infiniteStream(fc.nat()), (original, numbers) => {
      const shuffled = <T>(items: readonly T[]): T[] =>
        items
          .map((item) => ({ item, key: numbers.next().value }))
          .sort((a, b) => a.key - b.key)
          .map(({ item }) => item);
      const { facts } = original;
      const runs = shuffled(facts.runs).map((one) => ({
        ...one,
        cases: shuffled(one.cases),
        modules: shuffled(one.modules),
      }));
      const change = {
        ...facts.change,
        entries: shuffled(facts.change.entries),
        contents: shuffled(facts.change.contents),
      };
      const other = withFacts(original, {
        runs,
        change,
        commands: shuffled(facts.commands),
        toolchain: shuffled(facts.toolchain),
      });
      expect(canonicalJson(evaluate(other))).toBe(canonicalJson(evaluate(original)));
    }),
    { numRuns: 100 },
  );
});

test("[B1] the same input gives the same bytes again, and is not changed by being judged", () => {
  fc.assert(
    fc.property(input, (original) => {
      const before = digestOf(original);
      expect(canonicalJson(evaluate(structuredClone(original)))).toBe(canonicalJson(evaluate(original)));
      expect(digestOf(original)).toBe(before);
    }),
  );
});

const failing = makeRun({ cases: [makeCase({ state: "failed" })] });
const red = makeCommand({ exit: exitOne });
const worsenings: readonly (readonly [string, (facts: Facts) => Partial<Facts>])[] = [
  ["a failing head run", ({ runs }) => ({ runs: [...runs, failing] })],
  ["a failing base run", ({ runs }) => ({ runs: [...runs, { ...failing, purpose: "base" }] })],
  ["a failing run that nobody asked for", ({ runs }) => ({ runs: [...runs, { ...failing, criterion: 9 }] })],
  ["a failing command", ({ commands }) => ({ commands: [...commands, red] })],
  ["a fault", ({ runs }) => ({ runs: runs.map((one) => ({ ...one, faults: [{ code: "frame-mac", detail: "" }] })) })],
];

test.each(worsenings)("%s that is added never passes what did not pass", (_name, worsen) => {
  fc.assert(
    fc.property(input, (original) => {
      const after = evaluate(withFacts(original, worsen(original.facts))).outcome;
      if (evaluate(original).outcome !== "passed") expect(after).not.toBe("passed");
    }),
    { numRuns: 100 },
  );
});

test("a failing run of an entry always blocks", () => {
  const surely = makeRun({ cases: [makeCase({ title: "surely failing", state: "failed" })] });
  fc.assert(
    fc.property(input, (original) => {
      if (original.contract === null) return;
      expect(evaluate(withFacts(original, { runs: [...original.facts.runs, surely] })).outcome).not.toBe("passed");
    }),
  );
});

test("a fault in the evidence, a failing command or a null exit never passes, whatever else holds", () => {
  fc.assert(
    fc.property(input, fc.constantFrom(...faultCodes), (original, code) => {
      if (original.contract === null || original.facts.runs.length === 0) return;
      const faulty = original.facts.runs.map((one, index) =>
        index === 0 ? { ...one, faults: [{ code, detail: "" }] } : one,
      );
      expect(evaluate(withFacts(original, { runs: faulty })).outcome).toBe("blocked");
      const timeout = { code: null, error: "timeout", signal: null } as const;
      for (const exit of [exitOne, timeout]) {
        const commands = [...original.facts.commands, makeCommand({ exit })];
        expect(evaluate(withFacts(original, { commands })).outcome).toBe("blocked");
      }
    }),
  );
});

test("[B6] passed means: no block, nothing undetermined, at least one criterion, and every one passed", () => {
  fc.assert(
    fc.property(input, (original) => {
      const verdict = evaluate(original);
      if (verdict.outcome !== "passed") return;
      expect(verdict.criteria.length).toBeGreaterThan(0);
      expect(verdict.criteria.every((one) => one.outcome === "passed")).toBe(true);
      expect(verdict.findings.every((one) => one.severity === "warn" || one.severity === "info")).toBe(true);
    }),
    { numRuns: 150 },
  );
});

test("[B17] what is claimed can never make a verdict pass that does not pass without it", () => {
  fc.assert(
    fc.property(input, claim, (original, said) => {
      const silent = evaluate(withFacts(original, { claim: null }));
      const spoken = evaluate(withFacts(original, { claim: said }));
      if (silent.outcome !== "passed") expect(spoken.outcome).not.toBe("passed");
      expect(spoken.criteria).toEqual(silent.criteria);
    }),
    { numRuns: 100 },
  );
});

test("one more changed file outside the scope always blocks", () => {
  fc.assert(
    fc.property(input, (original) => {
      if (original.contract === null) return;
      const entries = [...original.facts.change.entries, makeEntry({ path: "outside.ts" })];
      const change = { ...original.facts.change, entries };
      expect(evaluate(withFacts(original, { change })).outcome).toBe("blocked");
    }),
  );
});
