import { isRunCase, type RunCase } from "./case-schema.ts";
import type { CorpusCase } from "./load-corpus.ts";

const head = `# Cheats, and what stops them

Every row is a folder below \`corpus/\`: a repository, a change that deceives, and an honest twin that must pass under the
same contract. \`npm run corpus\` sends each of them through \`trueup deliver\` and is red when one does not end as it says
here, and also when a listed survivor is stopped. This page is generated from the folders.

"B" says what would be decided without direction, canary and held-out tests; "counts" by truly measured counts, scope and
caps alone. A row is stopped by at least the codes named.
`;

/** \`docs/cheats.md\`, from the cases alone, so that it is the same on every machine. */
export function renderPage(cases: readonly CorpusCase[]): string {
  const run = cases.flatMap((one) => (isRunCase(one.data) ? [{ ...one, data: one.data }] : []));
  const cheats = run.filter(({ data }) => data.kind === "cheat").toSorted(byNumber);
  const survivors = cheats.filter(({ data }) => data.expected_survivor !== undefined);
  const ordinary = run.filter(({ data }) => data.kind === "honest");
  const rest = cases.filter(({ data }) => !isRunCase(data)).toSorted(byNumber);
  return [
    head,
    `${cheats.length} cheats are run, of which ${survivors.length} are known to get through; ${rest.length} rows are not run.\n`,
    table(["#", "case", "runner", "mechanism", "A", "B", "counts", "stopped by"], cheats.map(cheatCells)),
    "## What gets through\n",
    table(
      ["case", "why"],
      survivors.map(({ id, data }) => [code(id), data.expected_survivor ?? ""]),
    ),
    "## Ordinary honest changes\n",
    table(
      ["case", "change", "ends", "with warnings"],
      ordinary.map(({ id, data }) => [code(id), data.mechanism, data.expected.outcome, codes(data)]),
    ),
    "## Not run\n",
    "None of these counts as stopped.\n",
    table(
      ["#", "case", "mechanism", "why"],
      rest.map(({ id, data }) => [
        String(data.number ?? ""),
        code(id),
        data.mechanism,
        isRunCase(data) ? "" : data.not_run,
      ]),
    ),
  ].join("\n");
}

function byNumber(one: CorpusCase, other: CorpusCase): number {
  return (one.data.number ?? 0) - (other.data.number ?? 0) || (one.id < other.id ? -1 : 1);
}

function cheatCells({ id, data }: CorpusCase<RunCase>): readonly string[] {
  const survives = data.expected_survivor !== undefined;
  const { outcome, b, counts } = data.expected;
  const ends = survives ? ["**passes**", "passes", "passes"] : [outcome, b, counts];
  return [String(data.number), code(id), data.runner, data.mechanism, ...ends, survives ? "" : codes(data)];
}

function codes({ expected }: RunCase): string {
  return expected.codes.map(code).join(", ");
}

function code(text: string): string {
  return `\`${text}\``;
}

function table(names: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((one) => one.replaceAll("|", "\\|")).join(" | ")} |`;
  return `${[line(names), line(names.map(() => "---")), ...rows.map(line)].join("\n")}\n`;
}
