import { expect, test } from "vitest";
import {
  baseTree,
  exitOne,
  makeCommand,
  makeContract,
  makeInput,
  makeRun,
  makeCases,
} from "../../../../test/fixtures/facts-builders.ts";
import type { CommandFacts, Facts } from "../../facts/index.ts";
import { commands } from "./commands.ts";
import { prepare } from "./prepare.ts";
import { runUnasked } from "./run-unasked.ts";

const contract = makeContract({ commands: [{ command: "npm run lint" }] });
const timeout = { code: null, error: "timeout", signal: null } as const;
const killed = { code: null, error: "signal", signal: "SIGKILL" } as const;
const cut = { code: 0, error: "output", signal: null } as const;

const commandRows: readonly (readonly [string, readonly CommandFacts[], string, readonly string[]])[] = [
  ["[B3] an acceptance command that exits 0 passes", [makeCommand()], "npm run lint: exit 0", []],
  ["[B3] a non-zero exit fails", [makeCommand({ exit: exitOne })], "npm run lint: exit 1", ["command-failed"]],
  ["[B2] a command with no record fails", [], "npm run lint: did not run", ["command-not-run"]],
  [
    "[B4] a timeout is never a pass",
    [makeCommand({ exit: timeout })],
    "npm run lint: exit none (timeout)",
    ["null-exit"],
  ],
  [
    "[B4] a signal is never a pass",
    [makeCommand({ exit: killed })],
    "npm run lint: exit none (signal SIGKILL)",
    ["null-exit"],
  ],
  [
    "a code 0 that came with an error is never a pass",
    [makeCommand({ exit: cut })],
    "npm run lint: exit 0 (output)",
    ["null-exit"],
  ],
  [
    "[B5] a failed record beside a passed one still fails",
    [makeCommand({ exit: exitOne }), makeCommand()],
    "npm run lint: exit 1",
    ["command-failed"],
  ],
  [
    "[B15] a record over another tree is stale",
    [makeCommand({ tree: "d".repeat(40) })],
    "npm run lint: exit 0",
    ["stale-run"],
  ],
  [
    "a record over base is no record of head",
    [makeCommand({ purpose: "base" })],
    "npm run lint: did not run",
    ["command-not-run"],
  ],
];

test.each(commandRows)("%s", (_name, records, detail, codes) => {
  const result = commands(makeInput({ contract, facts: { commands: records } }));
  expect(result.criteria).toEqual([
    { kind: "commands", subject: "commands[0]", outcome: codes.length === 0 ? "passed" : "failed", detail },
  ]);
  expect(result.findings.map((one) => one.code)).toEqual(codes);
});

const prepared = makeContract({ prepare: [{ command: "npm run build" }] });
const step = (overrides: Partial<CommandFacts> = {}): CommandFacts =>
  makeCommand({ kind: "prepare", argv: ["npm", "run", "build"], ...overrides });

const prepareRows: readonly (readonly [string, readonly CommandFacts[], readonly string[]])[] = [
  ["a prepare step that exits 0 is in order", [step()], []],
  ["a failed prepare step on head blocks", [step({ exit: exitOne })], ["block prepare-failed"]],
  ["a prepare step cut by its time limit blocks", [step({ exit: timeout })], ["block null-exit"]],
  ["a prepare step that never ran is undetermined", [], ["undetermined prepare-not-run"]],
  [
    "a prepare step that failed on base is said",
    [step(), step({ purpose: "base", exit: exitOne })],
    ["warn prepare-failed"],
  ],
  ["a stale build is never tested", [step({ tree: baseTree })], ["block stale-run"]],
];

test.each(prepareRows)("%s", (_name, records, findings) => {
  const result = prepare(makeInput({ contract: prepared, facts: { commands: records } }));
  expect(result.findings.map((one) => `${one.severity} ${one.code}`)).toEqual(findings);
});

const unaskedRows: readonly (readonly [string, Partial<Facts>, number])[] = [
  ["runs and records that the contract names are in order", {}, 0],
  ["a run of no entry of the contract blocks", { runs: [makeRun({ criterion: 3, cases: makeCases(1) })] }, 1],
  ["a record of no command of the contract blocks", { commands: [makeCommand({ criterion: 1 })] }, 1],
];

test.each(unaskedRows)("%s", (_name, facts, count) => {
  expect(runUnasked(makeInput({ contract, facts })).findings.map((one) => one.code)).toEqual(
    Array(count).fill("run-unasked"),
  );
});
