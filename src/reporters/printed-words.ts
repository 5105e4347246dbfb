import type { CommandFacts, RunFacts } from "../core/facts/index.ts";
import type { Report } from "./report.ts";
import { cutText } from "./visible-text.ts";

/** The first and last lines that a failed process printed. Foreign text: shown to people, never evidence. */
export interface PrintedWords {
  /** `tests[0] head`, `commands[1]`. */
  readonly subject: string;
  readonly lines: readonly string[];
}

const maxProcesses = 3;
/** Of each end: the cause stands first where a configuration is refused, last where a process died. */
const endLines = 10;
const maxCharacters = 300;
/** Colours and cursor movements: left out, since spelled out they would hide the words. */
const controlSequence = /\u001b\[[\d;?]*[ -/]*[@-~]/gu;

/** What failed processes of head said, where no failed test already says why; nothing of those that printed nothing. */
export function printedWords(report: Report): readonly PrintedWords[] {
  const { runs, commands } = report.facts;
  const tests = runs
    .filter((run) => isUnexplained(run) && (run.purpose === "head" || !hasHead(run, runs)))
    .map((run) => ({ subject: `tests[${run.criterion}] ${run.purpose}`, lines: bothEnds(run) }));
  const others = commands
    .filter((one) => one.exit.code !== 0 && one.purpose === "head")
    .map((one) => ({
      subject: `${one.kind === "command" ? "commands" : "prepare"}[${one.criterion}]`,
      lines: bothEnds(one),
    }));
  return [...tests, ...others].filter(({ lines }) => lines.length > 0).slice(0, maxProcesses);
}

function isUnexplained({ exit, faults, cases }: RunFacts): boolean {
  const failed = exit.code !== 0 || exit.error !== null || faults.length > 0;
  return failed && !cases.some((one) => one.state === "failed");
}

function hasHead(run: RunFacts, runs: readonly RunFacts[]): boolean {
  return runs.some((one) => one.purpose === "head" && one.criterion === run.criterion && isUnexplained(one));
}

/** Of what went to the error stream, else of what went to the other. */
function bothEnds(process: RunFacts | CommandFacts): readonly string[] {
  const written = [process.stderr, process.stdout].map(({ head, tail }) => linesOf(`${head}${tail}`));
  const lines = written.find((one) => one.length > 0) ?? [];
  const left = lines.length - 2 * endLines;
  const shown =
    left <= 1 ? lines : [...lines.slice(0, endLines), `(${left} lines left out)`, ...lines.slice(-endLines)];
  return shown.map((line) => cutText(line, maxCharacters));
}

function linesOf(text: string): readonly string[] {
  const plain = text.replace(controlSequence, "").replace(/\r\n?/gu, "\n");
  return plain.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trimEnd()]));
}
