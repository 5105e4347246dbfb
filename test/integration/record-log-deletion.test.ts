import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createRecordLog } from "../../src/adapters/record-log/files/record-log.ts";
import { digestOf } from "../../src/core/digest.ts";
import { evaluate, type Verdict } from "../../src/core/gate/index.ts";
import type { LogReading } from "../../src/core/record/index.ts";
import { makeContract } from "../fixtures/facts-builders.ts";
import { earlierTree, makeNullRecord, makeRecord, makeSessionFacts } from "../fixtures/record-builders.ts";

const contract = makeContract({ tests: [{ command: "npx vitest run", keep_base: true }] });

function judge(log: LogReading): Verdict["outcome"] {
  const facts = { ...makeSessionFacts(log.records, log), contract_digest: digestOf(contract) };
  const policy = { minimum_grade: "D", strict: false } as const;
  return evaluate({ facts, contract, contractDigest: digestOf(contract), policy }).outcome;
}

/** What one command of a session may have been: green, red, without an end, over another tree, a retry, none of the contract's. */
const step = fc.record({
  kind: fc.constantFrom("green", "red", "null"),
  elsewhere: fc.boolean(),
  retry: fc.boolean(),
  named: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const green: Step = { kind: "green", elsewhere: false, retry: false, named: true };
const red: Step = { ...green, kind: "red" };
/** All lines kept and one deleted, of a log that passes and of one that does not. */
const examples: [Step[], number][] = [
  [[green], 63],
  [[green, green], 1],
  [[red, green], 63],
  [[red, green], 2],
];

async function writeLog(directory: string, steps: readonly Step[]): Promise<void> {
  const log = createRecordLog({ directory });
  for (const [order, { kind, elsewhere, retry, named }] of steps.entries()) {
    const parent = retry && order > 0 ? makeRecord(order - 1).command_id : null;
    const make = kind === "null" ? makeNullRecord : makeRecord;
    const {
      prev: _prev,
      digest: _digest,
      ...draft
    } = make(order, {
      ...(kind === "red" ? { exit_code: 1 } : {}),
      ...(elsewhere ? { tree_before: earlierTree } : {}),
      ...(named ? {} : { matches: [] }),
      parent_command_id: parent,
    });
    await log.append(draft);
  }
}

test("[A18] deleting any lines of a log never lets pass what its anchor's whole log did not, nor leaves anything to pass", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 6 }),
      fc.oneof(fc.nat(62), fc.constant(63)),
      async (steps, mask) => {
        const directory = mkdtempSync(path.join(os.tmpdir(), "trueup-deletion-"));
        try {
          await writeLog(directory, steps);
          const file = path.join(directory, "records.jsonl");
          const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
          const whole = judge(await createRecordLog({ directory }).readAll());
          const kept = lines.filter((_, index) => (mask & (1 << index)) !== 0);
          writeFileSync(file, kept.map((line) => `${line}\n`).join(""));
          const after = judge(await createRecordLog({ directory }).readAll());
          seen.add(`${whole}, ${kept.length < lines.length ? "cut" : "whole"}`);
          expect(after).toBe(kept.length < lines.length ? "blocked" : whole);
        } finally {
          rmSync(directory, { recursive: true });
        }
      },
    ),
    { numRuns: 80, seed: 7, examples },
  );
  // Logs that passed and logs that did not were cut, and some of each stayed whole: the property says something.
  expect([...seen].toSorted()).toEqual(["blocked, cut", "blocked, whole", "passed, cut", "passed, whole"]);
});
