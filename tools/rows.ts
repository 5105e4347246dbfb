/**
 * `npm run rows`: is each row of the checklist held by a test that would notice its breach?
 * First by reading (`--static` stops there), then by running: all tests of held rows must be green, and each
 * fault of `test/rows.json` is planted in a copy of the tree and must turn a test of its row red.
 * `--row ID` one row (repeatable), `--list` the open rows too, `--json` machine-readable, `--root DIR` another tree.
 * Exits 1 when a row is not held.
 */
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { checkRow } from "./rows/check-row.ts";
import { parseRows, type Row } from "./rows/row-file.ts";
import { runCases, type CaseOutcome } from "./rows/run-cases.ts";
import { copyTree, plantFault } from "./rows/tree-copy.ts";

interface RowResult {
  readonly id: string;
  readonly held: boolean;
  readonly detail: string;
}

const { values } = parseArgs({
  options: {
    static: { type: "boolean", default: false },
    row: { type: "string", multiple: true, default: [] },
    list: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    root: { type: "string", default: path.dirname(import.meta.dirname) },
  },
});
const root = path.resolve(values.root);

const readText = (file: string): string | null => {
  const full = path.join(root, file);
  return fs.existsSync(full) ? fs.readFileSync(full, "utf8") : null;
};

const ofRow = (id: string, outcomes: readonly CaseOutcome[]): readonly CaseOutcome[] =>
  outcomes.filter(({ title }) => title.includes(`[${id}]`));

const judgeSound = ({ id }: Row, outcomes: readonly CaseOutcome[]): RowResult => {
  const cases = ofRow(id, outcomes);
  const failed = cases.filter(({ status }) => status === "failed");
  if (cases.length === 0) return { id, held: false, detail: "no test of this row ran" };
  if (failed.length > 0) return { id, held: false, detail: `red without a fault: ${failed[0]?.title ?? ""}` };
  return { id, held: true, detail: `${cases.length} green` };
};

const judgeFault = (row: Row, copy: string): RowResult => {
  if (row.fault === undefined) throw new Error(`row ${row.id} has no fault`);
  using _planted = plantFault(copy, row.fault);
  const cases = ofRow(row.id, runCases(copy, [row.id], row.tests));
  const red = cases.filter(({ status }) => status === "failed").length;
  if (cases.length === 0) return { id: row.id, held: false, detail: "with the fault no test of this row ran" };
  return {
    id: row.id,
    held: red > 0,
    detail: red > 0 ? `fault seen, ${red} of ${cases.length} red` : "fault not seen",
  };
};

/** All held rows in one run without fault, then each fault on its own. */
const runRows = (rows: readonly Row[], onResult: (result: RowResult) => void): void => {
  using tree = copyTree(root);
  const outcomes = runCases(
    tree.copy,
    rows.map(({ id }) => id),
    [...new Set(rows.flatMap(({ tests }) => tests))],
  );
  for (const row of rows) {
    const sound = judgeSound(row, outcomes);
    onResult(sound.held && row.fault !== undefined ? judgeFault(row, tree.copy) : sound);
  }
};

const all = parseRows(readText("test/rows.json") ?? "");
const unknown = values.row.filter((id) => !all.some((row) => row.id === id));
if (unknown.length > 0) throw new Error(`no such row: ${unknown.join(", ")}`);
const chosen = values.row.length === 0 ? all : all.filter(({ id }) => values.row.includes(id));
const held = chosen.filter(({ status }) => status === "held");
const open = chosen.filter(({ status }) => status === "open");
const results: RowResult[] = [];
const onResult = (result: RowResult): void => {
  results.push(result);
  if (!values.json)
    process.stdout.write(`${result.id.padEnd(4)} ${result.held ? "held" : "NOT HELD"}  ${result.detail}\n`);
};

const unsound = held.flatMap((row) => checkRow(row, readText).map((detail) => ({ id: row.id, held: false, detail })));
unsound.forEach(onResult);
const runnable = held.filter(({ id }) => !unsound.some((result) => result.id === id));
if (!values.static && !values.list && runnable.length > 0) runRows(runnable, onResult);

if (values.json) process.stdout.write(`${JSON.stringify({ results, open: open.map(({ id }) => id) })}\n`);
if (values.list)
  for (const row of open)
    process.stdout.write(`${row.id.padEnd(4)} open (issue ${row.issue ?? "none"})  ${row.assert}\n`);
if (!values.json)
  process.stdout.write(
    `${held.length} rows held, ${open.length} open, ${results.filter((r) => !r.held).length} broken\n`,
  );
process.exitCode = results.every((result) => result.held) ? 0 : 1;
