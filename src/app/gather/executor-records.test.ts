import { describe, expect, test } from "vitest";
import { exitOne, headTree, makeCommand, makeInput, makeRun } from "../../../test/fixtures/facts-builders.ts";
import type { Facts } from "../../core/facts/index.ts";
import { parseLog } from "../../core/record/parse-log.ts";
import { verifyLinks } from "../../core/record/index.ts";
import { renderExecutorRecords } from "./executor-records.ts";

const at = (second: number): string => `2026-01-01T00:00:${String(second).padStart(2, "0")}.000Z`;
const silence = { tail: "", omitted_lines: 0, omitted_bytes: 0 };
const secret = `ghp_${"a1B2".repeat(9)}`;

function factsOf(more: Partial<Facts> = {}): Facts {
  const runs = [makeRun({ started_at: at(3) }), makeRun({ purpose: "base", started_at: at(1) })];
  return makeInput({ facts: { runs, commands: [makeCommand({ started_at: at(2) })], ...more } }).facts;
}

const read = (facts: Facts) => parseLog(new TextEncoder().encode(renderExecutorRecords(facts)), "records.jsonl");

describe("the executor's own records", () => {
  test("are a whole chain, one a run, in the order they began, by the executor", () => {
    const { records, faults } = read(factsOf());
    expect([faults, verifyLinks(records)]).toEqual([[], []]);
    expect(records.map((one) => [one.started_at, one.actor, one.role, one.matches])).toEqual([
      [at(1), "executor", "proof", []],
      [at(2), "executor", "acceptance", ["commands[0]"]],
      [at(3), "executor", "acceptance", ["tests[0]"]],
    ]);
    expect(records.at(-1)).toMatchObject({ tree_before: headTree, tree_after: headTree, exit_code: 0, error: null });
    expect(new Set(records.map((one) => one.verification_id)).size).toBe(1);
    expect(records[0]?.command_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u);
  });

  test("[B1] are the same bytes for the same facts, in any order of their lists", () => {
    const facts = factsOf();
    const turned = { ...facts, runs: facts.runs.toReversed() };
    expect(renderExecutorRecords(turned)).toBe(renderExecutorRecords(facts));
  });

  test.each([
    ["a failure keeps its code", { exit: exitOne }, 1, null],
    ["a time limit is a null exit", { exit: { code: 1, error: "timeout", signal: null } }, null, "timeout"],
    ["a signal is named", { exit: { code: null, error: "signal", signal: "SIGKILL" } }, null, "signal"],
    [
      "no cause known is a fault of the runner",
      { exit: { code: null, error: null, signal: null } },
      null,
      "runner-fault",
    ],
    [
      "too much memory is a fault of the runner",
      { exit: { code: null, error: "memory", signal: null } },
      null,
      "runner-fault",
    ],
  ] as const)("%s", (_name, run, code, kind) => {
    const [record] = read(factsOf({ runs: [makeRun({ ...run, started_at: at(1) })], commands: [] })).records;
    expect([record?.exit_code, record?.error?.kind ?? null]).toEqual([code, kind]);
  });

  test("[A16] a secret that a test printed is in none of them", () => {
    const runs = [makeRun({ started_at: at(1), stdout: { ...silence, head: `token ${secret}\n` } })];
    const text = renderExecutorRecords(factsOf({ runs, commands: [] }));
    expect(text).not.toContain(secret);
    expect(text).toContain('"redactions":1');
  });

  test("nothing was run: the log is empty", () => {
    expect(renderExecutorRecords(factsOf({ runs: [], commands: [] }))).toBe("");
  });
});
