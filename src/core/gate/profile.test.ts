import { describe, expect, test } from "vitest";
import { makeCases, makeContract, makeInput, makeRun, makeTestsEntry } from "../../../test/fixtures/facts-builders.ts";
import type { Facts } from "../facts/index.ts";
import { evaluate } from "./index.ts";

const person: Pick<Facts, "profile"> = { profile: { name: "person", because: "profiles[0]: a person" } };
const agent: Pick<Facts, "profile"> = { profile: { name: "agent", because: "profiles[0]: a person" } };

const steered = {
  trust_roots: { changed: [{ path: "vitest.config.ts", why: "name" as const, restored: false }], closure: [] },
};
const gone = {
  runs: [makeRun({ cases: makeCases(3).slice(1) }), makeRun({ purpose: "base", cases: makeCases(3) })],
};

const told = (facts: Partial<Facts>, more: Partial<Facts>): readonly string[] =>
  evaluate(
    makeInput({
      contract: makeContract({ tests: [{ ...makeTestsEntry(), passed: undefined, keep_base: true } as never] }),
      facts: { ...facts, ...more },
    }),
  ).findings.map(({ severity, code }) => `${severity} ${code}`);

describe("profiles", () => {
  test.each<[string, Partial<Facts>, string]>([
    ["what steers the tests", steered, "trust-root-changed"],
    ["a test that is gone", gone, "test-removed"],
  ])("%s is shown of a person, and stops everybody else", (_what, facts, code) => {
    expect(told(facts, person)).toContain(`warn ${code}`);
    for (const other of [agent, {}]) expect(told(facts, other)).toContain(`block ${code}`);
  });

  test("a test of a person that fails still blocks", () => {
    const runs = [
      makeRun({ cases: makeCases(3).map((one, index) => (index === 0 ? { ...one, state: "failed" as const } : one)) }),
      makeRun({ purpose: "base", cases: makeCases(3) }),
    ];
    expect(told({ runs }, person)).toContain("block test-regressed");
  });

  test("a person's change is at most grade B, with the sentence", () => {
    const grade = evaluate(makeInput({ facts: person })).grade;
    expect(["B", "C"]).toContain(grade.value);
    expect(grade.costs.join(" ")).toContain("profile of a person (profiles[0]: a person)");
    expect(evaluate(makeInput()).grade.costs.join(" ")).not.toContain("profile");
  });
});
