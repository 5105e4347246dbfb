import type { ExitFact } from "../core/facts/index.ts";
import { outcomeOfReport, type JudgedReport } from "../core/test-report/index.ts";
import { escapeTerminal } from "./escape-terminal.ts";
import { testReportWords } from "./test-report-words.ts";
import { cutText } from "./visible-text.ts";

/** A judged report and where it came from. */
export interface ToldReport {
  readonly file: string;
  /** Name of the dialect it was read as; null when it was not read. */
  readonly runner: string | null;
  readonly exit: ExitFact | null;
  readonly judged: JudgedReport;
}

/** Stands under every report that passes: a file is the runner's word, and the tests run beside the runner. */
const limits = [
  "A report is a file, and code of the run could have written it: `trueup check` runs the tests again.",
  "What no report shows: tests that were never collected, and tests that do not test what they say.",
];

/** What this dialect cannot tell from a pass. */
const blind: Readonly<Record<string, string>> = {
  vitest: "vitest's report does not tell `test.fails` from a pass.",
  pytest: "pytest's report does not show a loose xpass, an exception in a thread, or a test whose name was used again.",
  "node-test": "node's report does not show how a test that holds tests went by itself.",
  junit: "A JUnit file seldom shows retries, expected failures, or files that did not load.",
};

const outcomeWords = { passed: "passed", failed: "NOT passed", undetermined: "cannot be decided" } as const;

/** The report in a few lines for a person. Holds no control code and no colour. */
export function renderTestReport({ file, runner, exit, judged }: ToldReport): string {
  const outcome = outcomeOfReport(judged.findings);
  const { total, ...states } = judged.counts;
  const held = Object.entries(states).flatMap(([state, count]) => (count === 0 ? [] : [`${count} ${state}`]));
  const ended =
    exit === null
      ? "exit unknown"
      : exit.code === null
        ? `ended by ${exit.signal ?? exit.error ?? "?"}`
        : `exit ${exit.code}`;
  const lines = [
    `${foreign(file)}: ${outcomeWords[outcome]}`,
    `  ${runner ?? "not read"}; ${ended}; ${total} ${total === 1 ? "test" : "tests"}${held.length === 0 ? "" : `: ${held.join(", ")}`}`,
    ...judged.findings.flatMap(({ code, severity, subject }) => [
      `  ${severity} ${code} ${testReportWords[code].title}: ${foreign(subject)}`,
      `    ${testReportWords[code].hint}`,
    ]),
    ...(outcome === "passed"
      ? [...limits, ...(blind[runner ?? ""] === undefined ? [] : [blind[runner ?? ""]])]
      : []
    ).map((sentence) => `  ${sentence}`),
  ];
  return lines.join("\n");
}

function foreign(text: string): string {
  return escapeTerminal(cutText(text, 500));
}
