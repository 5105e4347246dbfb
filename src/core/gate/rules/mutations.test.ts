import { expect, test } from "vitest";
import { makeInput } from "../../../../test/fixtures/facts-builders.ts";
import type { MutationFacts } from "../../facts/index.ts";
import { mutations } from "./mutations.ts";

const said = (facts: MutationFacts | undefined): readonly string[] => {
  const input = makeInput();
  const all = facts === undefined ? input.facts : { ...input.facts, mutations: facts };
  return mutations({ ...input, facts: all }).findings.map((one) => `${one.severity} ${one.code} ${one.subject}`.trim());
};

test.each<[string, MutationFacts | undefined, readonly string[]]>([
  ["nothing was asked for", undefined, []],
  ["every hunk is noticed", { tried: [{ path: "a.ts", line: 1, outcome: "noticed" }], left: 0 }, []],
  [
    "a hunk survives",
    {
      tried: [
        { path: "a.ts", line: 1, outcome: "noticed" },
        { path: "b.ts", line: 7, outcome: "survived" },
      ],
      left: 0,
    },
    ["warn mutation-survived b.ts"],
  ],
  ["the budget was spent first", { tried: [], left: 3 }, ["info mutations-left"]],
])("%s", (_name, facts, findings) => {
  expect(said(facts)).toEqual(findings);
});
