/**
 * `npm run corpus [-- --runner R] [--case ID]... [--fast] [--json]`: every cheat and its honest twin through `trueup
 * deliver`. Exits 1 when one is not as it says, a listed survivor that is stopped now included.
 */
import path from "node:path";
import { parseArgs } from "node:util";
import { isRunCase } from "./corpus/case-schema.ts";
import { loadCorpus, type CorpusCase } from "./corpus/load-corpus.ts";
import { renderRow, renderTotals } from "./corpus/render-table.ts";
import { runCorpus } from "./corpus/run-corpus.ts";

const { values } = parseArgs({
  options: {
    runner: { type: "string" },
    case: { type: "string", multiple: true },
    fast: { type: "boolean" },
    json: { type: "boolean" },
    said: { type: "boolean" },
  },
});
const root = path.join(path.dirname(import.meta.dirname), "corpus");
const { cases, errors } = loadCorpus(root);

const isWanted = ({ id, data }: CorpusCase): boolean =>
  (values.case === undefined || values.case.includes(id)) &&
  (values.runner === undefined || data.runner === values.runner) &&
  (values.fast !== true || (isRunCase(data) && data.fast === true));

const main = async (): Promise<number> => {
  if (errors.length > 0) {
    process.stderr.write(`${errors.join("\n")}\n`);
    return 2;
  }
  const wanted = cases.filter(isWanted);
  if (wanted.length === 0) {
    process.stderr.write("no case is meant\n");
    return 2;
  }
  const rows = await runCorpus(root, {
    cases: wanted,
    tell: (row) => {
      const said = values.said === true ? [...(row.seen.own?.said ?? []), ...(row.seen.twin?.said ?? [])] : [];
      if (values.json !== true)
        process.stdout.write([renderRow(row), ...said.map((line) => `           ${line}`), ""].join("\n"));
    },
  });
  if (values.json === true) {
    const plain = rows.map(({ one, ...rest }) => ({ case: one.id, number: one.data.number, ...rest }));
    process.stdout.write(`${JSON.stringify({ rows: plain })}\n`);
  } else process.stdout.write(`\n${renderTotals(rows)}\n`);
  return rows.every(({ status }) => status !== "wrong") ? 0 : 1;
};

process.exitCode = await main();
