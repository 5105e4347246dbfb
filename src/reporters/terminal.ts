import { compareClaim, measureMovement, type CriterionResult, type Finding, type Verdict } from "../core/gate/index.ts";
import { escapeTerminal } from "./escape-terminal.ts";
import { wordsOf } from "./finding-words.ts";
import { printedWords } from "./printed-words.ts";
import { claimOf, headline, notProven, overridesOf, overrideWords, type Report } from "./report.ts";
import { cutLines, cutText } from "./visible-text.ts";

type Paint = "green" | "red" | "yellow" | "dim" | "bold";

const codes: Readonly<Record<Paint, string>> = { green: "32", red: "31", yellow: "33", dim: "2", bold: "1" };
const marks: Readonly<Record<CriterionResult["outcome"], string>> = { passed: "✅", failed: "❌", undetermined: "❔" };
const paints: Readonly<Record<Finding["severity"], Paint>> = {
  block: "red",
  undetermined: "yellow",
  warn: "yellow",
  info: "dim",
};

/** The report for a person at a terminal; without `color` it holds no control code at all. */
export function renderTerminal(report: Report, options: { readonly color: boolean }): string {
  const paint = (style: Paint, text: string): string =>
    options.color ? `\u001b[${codes[style]}m${text}\u001b[0m` : text;
  const { verdict, facts } = report;
  const tone = verdict.outcome === "passed" ? "green" : verdict.outcome === "blocked" ? "red" : "yellow";
  const lines = [
    paint(tone, escapeTerminal(headline(verdict))),
    ...verdict.criteria.map(({ kind, outcome, detail }) => `  ${marks[outcome]} ${kind} — ${foreign(detail)}`),
    ...findingLines(verdict, paint),
    ...(verdict.overrides ?? []).map((one) => `  ${paint("yellow", "override")} ${foreign(overrideWords(one))}`),
    ...printedLines(report),
    ...movementLines(report),
    `  grade ${verdict.grade.value} (minimum ${verdict.policy.minimum_grade})`,
    ...verdict.grade.costs.map((cost) => paint("dim", `    ${foreign(cost)}`)),
    `  base ${facts.change.base_commit.slice(0, 12)} (${foreign(facts.subject.base_source)}), tree ${verdict.tree.slice(0, 12)}, change ${verdict.change_digest.slice(7, 19)}`,
    ...claimLines(report, paint),
    ...notProven(report).map((sentence) => paint("dim", `  ${sentence}`)),
  ];
  return `${lines.join("\n")}\n`;
}

function findingLines(verdict: Verdict, paint: (style: Paint, text: string) => string): readonly string[] {
  const { findings } = verdict;
  const lines = findings.slice(0, 50).flatMap((one) => {
    const { code, severity, subject, detail } = one;
    const taken = overridesOf(verdict, one).length > 0 ? ", overridden" : "";
    const { title, hint } = wordsOf(code);
    const about = [subject, detail]
      .filter((part) => part !== "")
      .map(foreign)
      .join(": ");
    return [
      `  ${paint(paints[severity], `${severity}${taken} ${escapeTerminal(code)}`)} ${title}${about === "" ? "" : `: ${about}`}`,
      ...(severity === "info" ? [] : [paint("dim", `    ${hint}`)]),
    ];
  });
  return findings.length > 50 ? [...lines, `  and ${findings.length - 50} more findings`] : lines;
}

function printedLines(report: Report): readonly string[] {
  return printedWords(report).flatMap(({ subject, lines }) => [
    `  ${subject} printed (not evidence):`,
    ...lines.map((line) => `    | ${escapeTerminal(line)}`),
  ]);
}

function movementLines(report: Report): readonly string[] {
  const { ran, added, kept, lost } = measureMovement(report.facts, report.contract);
  if (!ran) return ["  tests: none was run by the executor"];
  const list = (sign: string, items: readonly string[]): readonly string[] =>
    items.slice(0, 10).map((item) => `    ${sign} ${foreign(item)}`);
  return [`  tests: ${added.length} added, ${kept} kept, ${lost.length} lost`, ...list("+", added), ...list("-", lost)];
}

function claimLines(report: Report, paint: (style: Paint, text: string) => string): readonly string[] {
  const claim = claimOf(report);
  if (claim === null || claim.text.trim() === "") return [];
  const rows = compareClaim(report.facts, report.contract, claim).map(({ about, claimed, verified, standing }) => {
    const line = `    ${about}: claimed ${foreign(claimed)}, verified ${foreign(verified)}`;
    return standing === "contradicted" ? paint("red", `${line} — contradicted`) : line;
  });
  const words = cutLines(claim.text, { lines: 20, characters: 300 }).map((line) => `    | ${escapeTerminal(line)}`);
  return ["  the agent's own words (a claim, not verified):", ...words, ...rows];
}

function foreign(text: string): string {
  return escapeTerminal(cutText(text, 500));
}
