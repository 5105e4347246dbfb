import { expect, test } from "vitest";
import { makeEntry, makeInput } from "../../../../test/fixtures/facts-builders.ts";
import type { AcceptanceContract } from "../../contract/index.ts";
import type { ChangeEntry } from "../../facts/index.ts";
import { caps } from "./caps.ts";

const binary = { path: "logo.png", true_binary: true, added_lines: 900, deleted_lines: 900, bytes: 5000 };
const lock = { path: "package-lock.json", added_lines: 4000, deleted_lines: 3000, bytes: 90_000 };

const rows: readonly {
  name: string;
  entries: readonly Partial<ChangeEntry>[];
  contract: AcceptanceContract;
  detail: string;
  codes: readonly string[];
}[] = [
  {
    name: "[D3] as many added lines as allowed pass",
    entries: [{ added_lines: 20 }, { path: "b", added_lines: 10 }],
    contract: { max_added_lines: 30 },
    detail: "30 added (limit 30)",
    codes: [],
  },
  {
    name: "[E3] one added line more than allowed fails",
    entries: [{ added_lines: 31 }],
    contract: { max_added_lines: 30 },
    detail: "31 added (limit 30)",
    codes: ["added-lines-over"],
  },
  {
    name: "[D3] as many deleted lines as allowed pass",
    entries: [{ deleted_lines: 3 }],
    contract: { max_deleted_lines: 3 },
    detail: "3 deleted (limit 3)",
    codes: [],
  },
  {
    name: "[E3] one deleted line more than allowed fails, also with a limit of nothing",
    entries: [{ deleted_lines: 1 }],
    contract: { max_deleted_lines: 0 },
    detail: "1 deleted (limit 0)",
    codes: ["deleted-lines-over"],
  },
  {
    name: "a true binary does not count in lines",
    entries: [{ added_lines: 1 }, binary],
    contract: { max_added_lines: 1 },
    detail: "1 added (limit 1)",
    codes: [],
  },
  {
    name: "[E13] a text file with NUL bytes still counts in lines",
    entries: [{ path: "nul.ts", true_binary: false, added_lines: 12 }],
    contract: { max_added_lines: 1 },
    detail: "12 added (limit 1)",
    codes: ["added-lines-over"],
  },
  {
    name: "a true binary counts in files",
    entries: [{}, binary],
    contract: { max_changed_files: 1 },
    detail: "2 changed files (limit 1)",
    codes: ["changed-files-over"],
  },
  {
    name: "a true binary counts in bytes",
    entries: [{ bytes: 1 }, binary],
    contract: { max_changed_bytes: 5000 },
    detail: "5001 changed bytes (limit 5000)",
    codes: ["changed-bytes-over"],
  },
  {
    name: "an uncounted path does not count in lines",
    entries: [{ added_lines: 2 }, lock],
    contract: { max_added_lines: 2, uncounted: ["package-lock.json"] },
    detail: "2 added (limit 2)",
    codes: [],
  },
  {
    name: "an uncounted path counts in bytes",
    entries: [{ bytes: 10 }, lock],
    contract: { max_changed_bytes: 90_000, uncounted: ["package-lock.json"] },
    detail: "90010 changed bytes (limit 90000)",
    codes: ["changed-bytes-over"],
  },
  {
    name: "[E13] a count that is no count (an attribute made numstat print a dash) fails",
    entries: [{ added_lines: Number.NaN }],
    contract: { max_added_lines: 30 },
    detail: "NaN added (limit 30)",
    codes: ["added-lines-over"],
  },
  {
    name: "a negative count cannot hide another file's lines",
    entries: [{ added_lines: 500 }, { path: "b", added_lines: -480 }],
    contract: { max_added_lines: 30 },
    detail: "NaN added (limit 30)",
    codes: ["added-lines-over"],
  },
];

test.each(rows)("$name", ({ entries, contract, detail, codes }) => {
  const result = caps(makeInput({ change: { entries: entries.map((entry) => makeEntry(entry)) }, contract }));
  expect(result.criteria?.map((one) => one.detail)).toEqual([detail]);
  expect(result.criteria?.map((one) => one.outcome)).toEqual([codes.length === 0 ? "passed" : "failed"]);
  expect(result.findings.map((one) => one.code)).toEqual(codes);
});
