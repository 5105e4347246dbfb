/**
 * `npm run corpus [-- --runner R] [--case ID]... [--fast] [--json]`: every cheat and its honest twin through `trueup
 * deliver`. Exits 1 when one is not as it says, a listed survivor that is stopped now included.
 * `--repeat N [--record]`: the attacks that race, N times each, without their twins; exits 1 when one was not stopped once.
 * `--record` writes the figures that `npm run corpus:page` puts on the page.
 */
import path from "node:path";
import { parseArgs } from "node:util";
import { isRunCase } from "./corpus/case-schema.ts";
import { loadCorpus, type CorpusCase } from "./corpus/load-corpus.ts";
import { renderRow, renderTotals } from "./corpus/render-table.ts";
import { repeatCase } from "./corpus/repeat-case.ts";
import { writeFigures, type RepeatFigure } from "./corpus/repeat-figures.ts";
import { runCorpus } from "./corpus/run-corpus.ts";

const { values } = parseArgs({
  options: {
    runner: { type: "string" },
    case: { type: "string", multiple: true },
    fast: { type: "boolean" },
    json: { type: "boolean" },
    said: { type: "boolean" },
    repeat: { type: "string" },
    record: { type: "boolean" },
  },
});
const root = path.join(path.dirname(import.meta.dirname), "corpus");
const { cases, errors } = loadCorpus(root);

const isWanted = ({ id, data }: CorpusCase): boolean =>
  (values.case === undefined || values.case.includes(id)) &&
  (values.runner === undefined || data.runner === values.runner) &&
  (values.fast !== true || (isRunCase(data) && data.fast === true));

const repeat = async (times: number): Promise<number> => {
  const meant = cases.flatMap((one) => (isRunCase(one.data) && isWanted(one) ? [{ ...one, data: one.data }] : []));
  const chosen = values.case === undefined ? meant.filter(({ data }) => data.repeat !== undefined) : meant;
  const figures = new Map<string, RepeatFigure>();
  for (const one of chosen) {
    const figure = await repeatCase(root, one, {
      times,
      tell: ({ outcome, said }) => {
        if (outcome === "passed" || outcome === "error") process.stdout.write(`${one.id}: ${outcome} ${said.join()}\n`);
      },
    });
    figures.set(one.id, figure);
    process.stdout.write(
      `${one.id}: ${figure.blocked} of ${figure.runs} blocked, each by ${figure.always.join(", ")}\n`,
    );
    if (values.record === true) writeFigures(root, { [one.id]: figure });
  }
  return [...figures.values()].every(({ runs, blocked }) => runs === blocked) ? 0 : 1;
};

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
  if (values.repeat !== undefined) {
    const times = Number(values.repeat);
    if (Number.isSafeInteger(times) && times > 0) return repeat(times);
    process.stderr.write("--repeat takes a whole number from 1\n");
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
