import { expect, test } from "vitest";
import {
  exitOne,
  makeCases,
  makeContract,
  makeInput,
  makeRun,
  makeTestsEntry,
} from "../../../../test/fixtures/facts-builders.ts";
import type { AcceptanceContract } from "../../contract/index.ts";
import type { RunFacts } from "../../facts/index.ts";
import { vacuous } from "./vacuous.ts";

const entry = makeTestsEntry();
const rows: readonly (readonly [string, Partial<AcceptanceContract>, Partial<RunFacts>, boolean])[] = [
  ["a count that base does not reach asks for something", { tests: [entry] }, { cases: makeCases(3) }, false],
  ["a count that base already gives is vacuous", { tests: [entry] }, { cases: makeCases(4) }, true],
  [
    "no count at all is vacuous on a green base",
    { tests: [{ command: entry.command }] },
    { cases: makeCases(4) },
    true,
  ],
  ["added tests are something", { tests: [{ ...entry, added: 1 }] }, { cases: makeCases(4) }, false],
  ["added nothing is vacuous", { tests: [{ ...entry, added: 0 }] }, { cases: makeCases(4) }, true],
  [
    "a name that base has is vacuous",
    { tests: [{ ...entry, names: ["slugify > case 1"] }] },
    { cases: makeCases(4) },
    true,
  ],
  [
    "a name that base has not is something",
    { tests: [{ ...entry, names: ["slugify > new"] }] },
    { cases: makeCases(4) },
    false,
  ],
  ["a red base does not meet its contract", { tests: [entry] }, { cases: makeCases(4), exit: exitOne }, false],
  [
    "another intent may leave the tests as they are",
    { tests: [entry], intent: "refactor" },
    { cases: makeCases(4) },
    false,
  ],
  ["no tests, no judgement", { tests: undefined as never }, { cases: makeCases(4) }, false],
];

test.each(rows)("%s", (_name, overrides, base, expected) => {
  const runs = [makeRun(), makeRun({ ...base, purpose: "base" })];
  const codes = vacuous(makeInput({ contract: makeContract(overrides), facts: { runs } })).findings.map(
    (one) => one.code,
  );
  expect(codes).toEqual(expected ? ["contract-vacuous"] : []);
});

test("one entry that asks for something is enough", () => {
  const contract = makeContract({ tests: [entry, { ...entry, passed: 9 }] });
  const runs = [0, 1].map((criterion) => makeRun({ criterion, purpose: "base", cases: makeCases(4) }));
  expect(vacuous(makeInput({ contract, facts: { runs } })).findings).toEqual([]);
});
