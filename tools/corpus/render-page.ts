import { corpusRunners, isRunCase, repeatedAttacks, type RunCase } from "./case-schema.ts";
import type { CorpusCase } from "./load-corpus.ts";
import type { RepeatFigures } from "./repeat-figures.ts";

const head = `# Cheats, and what stops them

Every row is a folder below \`corpus/\`: a repository, a change that deceives, and an honest twin that must pass under the
same contract. \`npm run corpus\` sends each of them through \`trueup deliver\` and is red when one does not end as it says
here, and also when a listed survivor is stopped. This page is generated from the folders.

"B" says what would be decided without direction, canary and held-out tests; "counts" by truly measured counts, scope and
caps alone. A row is stopped by at least the codes named.
`;

/** \`docs/cheats.md\`, from the cases and the kept figures alone, so that it is the same on every machine. */
export function renderPage(cases: readonly CorpusCase[], figures: RepeatFigures): string {
  const run = cases.flatMap((one) => (isRunCase(one.data) ? [{ ...one, data: one.data }] : []));
  const cheats = run.filter(({ data }) => data.kind === "cheat").toSorted(byNumber);
  const survivors = cheats.filter(({ data }) => data.expected_survivor !== undefined);
  const ordinary = run.filter(({ data }) => data.kind === "honest");
  const rest = cases.filter(({ data }) => !isRunCase(data)).toSorted(byNumber);
  return [
    head,
    `${cheats.length} cheats are run, of which ${survivors.length} are known to get through; ${rest.length} rows are not run.\n`,
    table(["#", "case", "runner", "mechanism", "A", "B", "counts", "stopped by"], cheats.map(cheatCells)),
    "## Attacks that are run many times\n",
    repeated,
    table(
      ["attack", ...runners],
      repeatedAttacks.map((attack) => repeatCells(cheats, { attack, figures })),
    ),
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

const runners = corpusRunners.filter((runner) => runner !== "none");

const repeated = `Chance could let these through once in many runs, so each was delivered as often as it says, as
\`npm run corpus -- --repeat 20 --record\` does: how often it was blocked of how often it ran. node:test reads no
configuration, and no command of a contract may name a file that it loads first.
`;

const attackNames = {
  "report-path": "reads the report's path and writes over the report",
  "witness-descriptor": "writes into the witness's descriptor and every other",
  "imported-by-config": "changes a file that an unchanged configuration imports",
} as const;

function repeatCells(
  cheats: readonly CorpusCase<RunCase>[],
  { attack, figures }: { readonly attack: (typeof repeatedAttacks)[number]; readonly figures: RepeatFigures },
): readonly string[] {
  const cells = runners.map((runner) => {
    const those = cheats.filter(({ data }) => data.repeat === attack && data.runner === runner);
    const shares = those.map(({ id }) => {
      const figure = figures[id];
      return `${code(id)} ${figure === undefined ? "not run" : `${figure.blocked} of ${figure.runs}`}`;
    });
    return shares.join(", ") || "does not apply";
  });
  return [attackNames[attack], ...cells];
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
