import { describe, expect, test } from "vitest";
import {
  baseTree,
  exitOne,
  exitZero,
  headTree,
  makeContract,
  makeInput,
} from "../../../../test/fixtures/facts-builders.ts";
import type { HeldOutFacts } from "../../facts/index.ts";
import { evaluate } from "../evaluate.ts";
import type { GateInput } from "../rule.ts";
import { heldOut } from "./held-out.ts";
import { vacuous } from "./vacuous.ts";

const entry = { path: "h.test.ts", sha256: "0".repeat(64), command: "npx vitest run h.test.ts", passed: 2 };

function makeHeldOut(overrides: Partial<HeldOutFacts> = {}): HeldOutFacts {
  const purpose = overrides.purpose ?? "head";
  return {
    criterion: 0,
    purpose,
    over: purpose === "head" ? headTree : baseTree,
    tree: "d".repeat(40),
    runner: { name: "vitest", version: "5.1.2" },
    exit: exitZero,
    duration_ms: 10,
    faults: [],
    passed: 2,
    not_passed: 0,
    evidence_digest: null,
    ...overrides,
  };
}

function inputOf(runs: readonly HeldOutFacts[], contract: object = {}): GateInput {
  const input = makeInput({ contract: makeContract({ held_out_tests: [entry], ...contract }) });
  return { ...input, facts: { ...input.facts, held_out: runs } };
}

const outcome = (runs: readonly HeldOutFacts[]): readonly (string | undefined)[] => {
  const { criteria, findings } = heldOut(inputOf(runs));
  return [criteria?.[0]?.outcome, ...findings.map((one) => `${one.severity} ${one.code}`)];
};

describe("a held-out test", () => {
  test.each<[string, Partial<HeldOutFacts>]>([
    ["fewer pass than promised", { passed: 1 }],
    ["more pass than promised: the file ran others too", { passed: 3 }],
    ["none passes", { passed: 0 }],
    ["one is anything but a plain pass", { not_passed: 1 }],
    ["the process fails", { exit: exitOne }],
    ["the process is killed", { exit: { code: null, error: "timeout", signal: "SIGKILL" } }],
    ["the evidence disagrees", { faults: ["witness-absent"] }],
  ])("blocks when %s", (_why, more) => {
    expect(outcome([makeHeldOut(more)])).toEqual(["failed", "block held-out-failed"]);
  });

  test("passes when exactly the promised number passes over the judged tree", () => {
    expect(outcome([makeHeldOut()])).toEqual(["passed"]);
  });

  test("a run over another tree than the judged one is stale", () => {
    expect(outcome([makeHeldOut({ over: "e".repeat(40) })])).toEqual(["failed", "block stale-run"]);
  });

  test.each<[string, readonly HeldOutFacts[]]>([
    ["there is no run at all", []],
    ["its file is not in the store", [makeHeldOut({ tree: null, passed: 0 })]],
    ["only base was run", [makeHeldOut({ purpose: "base" })]],
  ])("is undetermined, never passed, when %s", (_why, runs) => {
    expect(outcome(runs)).toEqual(["undetermined", "undetermined held-out-not-run"]);
    expect(evaluate(inputOf(runs)).outcome).toBe("undetermined");
  });

  test("one passing run more takes no block away", () => {
    expect(outcome([makeHeldOut(), makeHeldOut({ passed: 0 })])).toContain("block held-out-failed");
  });

  test("nothing is shown but numbers and codes", () => {
    const { criteria } = heldOut(
      inputOf([makeHeldOut({ passed: 1, not_passed: 1, exit: exitOne, faults: ["lists-differ"] })]),
    );
    expect(criteria?.[0]?.detail).toBe("exit 1, 1 passed, 1 not passed (expected 2 passed), lists-differ");
  });
});

describe("a contract with held-out tests alone", () => {
  const alone = (runs: readonly HeldOutFacts[]): GateInput => inputOf(runs, { tests: undefined });

  test("is vacuous when the untouched base already passes them", () => {
    expect(vacuous(alone([makeHeldOut(), makeHeldOut({ purpose: "base" })])).findings.map((one) => one.code)).toEqual([
      "contract-vacuous",
    ]);
  });

  test("is not when base fails them", () => {
    expect(
      vacuous(alone([makeHeldOut(), makeHeldOut({ purpose: "base", exit: exitOne, passed: 0 })])).findings,
    ).toEqual([]);
  });
});
