import { describe, expect, test } from "vitest";
import { exitZero, makeContract, makeInput, makeRun } from "../../../../test/fixtures/facts-builders.ts";
import type { ExitFact } from "../../facts/index.ts";
import { gradeOf } from "../grade.ts";
import type { GateInput } from "../rule.ts";
import { services } from "./services.ts";

const asked = { services: [{ name: "db", command: "postgres", ready: "pg_isready" }] };
const ended: ExitFact = { ...exitZero, code: 97 };

function inputOf(exit: ExitFact, stderr: string, contract: object = asked): GateInput {
  const input = makeInput({ contract: makeContract(contract) });
  const said = { head: stderr, tail: "", omitted_lines: 0, omitted_bytes: 0 };
  const runs = [makeRun({ exit, stderr: said })];
  return { ...input, facts: { ...input.facts, runs } };
}

describe("services", () => {
  test.each<[string, GateInput, readonly string[]]>([
    [
      "one that did not come up is named, with what it said last",
      inputOf(ended, "no cluster\ntrueup: the service db ended before it was ready\n"),
      ["service-not-ready tests[0] head: the service db ended before it was ready"],
    ],
    ["a command that exits 97 by itself is not a service's", inputOf(ended, "boom\n"), []],
    ["what a passing run prints says nothing", inputOf(exitZero, "trueup: the service db ended\n"), []],
    ["without services there is nothing to say", inputOf(ended, "trueup: the service db ended\n", {}), []],
  ])("%s", (_name, input, expected) => {
    expect(services(input).findings.map((one) => `${one.code} ${one.subject}: ${one.detail}`)).toEqual(expected);
  });

  test("services and /proc lower the grade and are said", () => {
    const input = inputOf(exitZero, "", { ...asked, needs: ["proc"] });
    expect(gradeOf(input).costs).toEqual(
      expect.arrayContaining([expect.stringContaining("/proc"), expect.stringContaining("asks: db.")]),
    );
  });
});
