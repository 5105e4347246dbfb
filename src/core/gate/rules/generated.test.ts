import { describe, expect, test } from "vitest";
import { exitOne, exitZero, headTree, makeContract, makeInput } from "../../../../test/fixtures/facts-builders.ts";
import type { GeneratedFacts } from "../../facts/index.ts";
import type { GateInput } from "../rule.ts";
import { caps } from "./caps.ts";
import { generated } from "./generated.ts";
import { runUnasked } from "./run-unasked.ts";

const nothing = { head: "", tail: "", omitted_lines: 0, omitted_bytes: 0 };
const run = { argv: ["node", "gen.js"], cwd: "", exit: exitZero, duration_ms: 1, stdout: nothing, stderr: nothing };

function makeGenerated(overrides: Partial<GeneratedFacts> = {}): GeneratedFacts {
  return { criterion: 0, tree: headTree, run, compared: 2, differing: [], ...overrides };
}

function inputOf(facts: readonly GeneratedFacts[], contract: object = {}): GateInput {
  const entry = { paths: ["gen/**"], command: "node gen.js" };
  const input = makeInput({ contract: makeContract({ generated: [entry], ...contract }) });
  return { ...input, facts: { ...input.facts, generated: facts } };
}

const outcome = (facts: readonly GeneratedFacts[]): readonly (string | undefined)[] => {
  const { criteria, findings } = generated(inputOf(facts));
  return [criteria?.[0]?.outcome, ...findings.map((one) => `${one.severity} ${one.code} ${one.subject}`)];
};

describe("generated files", () => {
  test.each<[string, readonly GeneratedFacts[], readonly string[]]>([
    ["pass when the command makes exactly them", [makeGenerated()], ["passed"]],
    [
      "block when one was edited by hand",
      [makeGenerated({ differing: [{ path: "gen/a", state: "differs" }] })],
      ["failed", "block generated-differs gen/a"],
    ],
    [
      "block when the command makes one that the change left out",
      [makeGenerated({ compared: 0, differing: [{ path: "gen/a", state: "extra" }] })],
      ["failed", "block generated-differs gen/a"],
    ],
    [
      "block when the command exits with an error, whatever it made",
      [makeGenerated({ run: { ...run, exit: exitOne } })],
      ["failed", "block command-failed generated[0]"],
    ],
    [
      "block when the command was killed",
      [makeGenerated({ run: { ...run, exit: { code: null, error: "timeout", signal: "SIGKILL" } } })],
      ["failed", "block null-exit generated[0]"],
    ],
    [
      "block when no file matches: nothing was looked at",
      [makeGenerated({ compared: 0 })],
      ["failed", "block nothing-to-check generated[0]"],
    ],
    [
      "are undetermined when a prepare step failed",
      [makeGenerated({ tree: null, run: null })],
      ["undetermined", "undetermined generated-not-run generated[0]"],
    ],
    ["are undetermined when nothing ran", [], ["undetermined", "undetermined generated-not-run generated[0]"]],
    [
      "are judged by the worse of two records",
      [makeGenerated(), makeGenerated({ run: { ...run, exit: exitOne } })],
      ["failed", "block command-failed generated[0]"],
    ],
  ])("%s", (_name, facts, expected) => {
    expect(outcome(facts)).toEqual(expected);
  });

  test("many differing files are counted, not listed", () => {
    const differing = Array.from({ length: 25 }, (_, at) => ({ path: `gen/${at}`, state: "missing" as const }));
    const { findings } = generated(inputOf([makeGenerated({ differing })]));
    expect(findings).toHaveLength(11);
    expect(findings.at(-1)?.detail).toBe("node gen.js: and 15 more files");
  });

  test("a record that no entry asks for blocks", () => {
    expect(runUnasked(inputOf([makeGenerated({ criterion: 1 })])).findings.map((one) => one.subject)).toEqual([
      "generated[1]",
    ]);
  });

  test("their lines do not count, their bytes do", () => {
    const input = inputOf([makeGenerated()], { max_added_lines: 0, max_deleted_lines: 0, max_changed_bytes: 1 });
    const [entry] = input.facts.change.entries;
    const entries = entry === undefined ? [] : [{ ...entry, path: "gen/a", added_lines: 100, bytes: 5000 }];
    const facts = { ...input.facts, change: { ...input.facts.change, entries } };
    expect(caps({ ...input, facts }).findings.map((one) => one.code)).toEqual(["changed-bytes-over"]);
  });
});
