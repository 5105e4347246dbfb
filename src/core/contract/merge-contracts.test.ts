import { describe, expect, it } from "vitest";
import { mergeContracts, parseContractValue, type AcceptanceContract } from "./index.ts";

type Row = readonly [what: string, task: AcceptanceContract, standing: AcceptanceContract, merged: AcceptanceContract];

const run = "npx vitest run";
const rows: readonly Row[] = [
  ["the smaller limit", { max_added_lines: 9 }, { max_added_lines: 5 }, { max_added_lines: 5 }],
  [
    "a limit that one has",
    { max_added_lines: 9 },
    { max_changed_files: 0 },
    { max_added_lines: 9, max_changed_files: 0 },
  ],
  [
    "two scopes: a path has to match both",
    { changed_files_only: ["src/**"] },
    { changed_files_only: ["**/*.ts"] },
    { changed_files_only: ["src/**"], changed_files_within: [["**/*.ts"]] },
  ],
  ["a scope that one has", {}, { changed_files_only: ["src/**"] }, { changed_files_only: ["src/**"] }],
  [
    "further lists of both",
    { changed_files_within: [["a"]] },
    { changed_files_only: ["b"], changed_files_within: [["c"]] },
    { changed_files_only: ["b"], changed_files_within: [["c"], ["a"]] },
  ],
  [
    "forbidden paths unite, each once",
    { changed_files_forbidden: ["a", "b"] },
    { changed_files_forbidden: ["b", "c"] },
    { changed_files_forbidden: ["b", "c", "a"] },
  ],
  [
    "what a task opens stays open, unless the standing contract forbids it",
    { allow_protected: ["package.json"] },
    { changed_files_forbidden: ["package.json"] },
    { allow_protected: ["package.json"], changed_files_forbidden: ["package.json"] },
  ],
  [
    "a task leaves nothing uncounted that the standing limits count",
    { uncounted: ["fixtures/**"], max_added_lines: 9 },
    { max_added_lines: 5 },
    { max_added_lines: 5 },
  ],
  [
    "where only the task limits, its uncounted paths stay",
    { uncounted: ["fixtures/**"], max_added_lines: 9 },
    { tests: [{ command: run, keep_base: true }] },
    { uncounted: ["fixtures/**"], max_added_lines: 9, tests: [{ command: run, keep_base: true }] },
  ],
  [
    "a task's soft paths do not soften the standing scope",
    { changed_files_only: ["src/**"], soft_paths: ["docs/**"] },
    { changed_files_only: ["**/*.ts"] },
    { changed_files_only: ["src/**"], changed_files_within: [["**/*.ts"]] },
  ],
  [
    "the same command that asks for less is asked by the task's entry",
    { tests: [{ command: run, passed: 3 }] },
    { tests: [{ command: run, keep_base: true }] },
    { tests: [{ command: run, passed: 3 }] },
  ],
  [
    "the same command that asks for what the task's entry gives up stays",
    { tests: [{ command: run, passed: 3, keep_base: false }] },
    { tests: [{ command: run, keep_base: true }] },
    {
      tests: [
        { command: run, passed: 3, keep_base: false },
        { command: run, keep_base: true },
      ],
    },
  ],
  [
    "what a task retires may go from the standing entries too",
    { tests: [{ command: `${run} a.test.ts`, added: 1, retired: ["old"], may_update: ["b"] }] },
    { tests: [{ command: run, keep_base: true }] },
    {
      tests: [
        { command: `${run} a.test.ts`, added: 1, retired: ["old"], may_update: ["b"] },
        { command: run, keep_base: true, retired: ["old"], may_update: ["b"] },
      ],
    },
  ],
  [
    "commands add up, each once",
    { commands: [{ command: "npm run lint" }] },
    { commands: [{ command: "npm run types" }, { command: "npm run lint" }] },
    { commands: [{ command: "npm run types" }, { command: "npm run lint" }] },
  ],
  ["green where one asks for it", { baseline: "no-worse" }, { baseline: "green" }, { baseline: "green" }],
  [
    "the intent is the task's",
    { intent: "behaviour", max_added_lines: 1 },
    { intent: "chore" },
    { intent: "behaviour", max_added_lines: 1 },
  ],
  [
    "the smaller budget",
    { budget: { minutes: 5 } },
    { budget: { minutes: 3, violations: 0 } },
    { budget: { minutes: 3, violations: 0 } },
  ],
  [
    "the higher floor and the smaller drop",
    { coverage: { floor: 80, max_drop: 2 } },
    { coverage: { floor: 90, max_drop: 5 } },
    { coverage: { floor: 90, max_drop: 2 } },
  ],
  ["no network where one has none", { network: ["a.example"] }, { network: "none" }, { network: "none" }],
  ["the hosts that both allow", { network: ["a", "b"] }, { network: ["b", "c"] }, { network: ["b"] }],
];

describe("[D14] a task's contract and the standing one hold as one", () => {
  it.each(rows)("%s", (_what, task, standing, merged) => {
    expect(mergeContracts(task, standing)).toEqual({ version: 1, ...merged });
  });

  it.each(rows)("what is made is a contract like any other: %s", (_what, task, standing) => {
    const merged = mergeContracts(task, standing);
    const parsed = parseContractValue(JSON.parse(JSON.stringify(merged)));
    expect(parsed.ok ? [] : parsed.issues).toEqual([]);
  });
});
