import { capBody } from "./cap-body.ts";
import { codeSpan, escapeMarkdown } from "./escape-markdown.ts";
import type { PublishedCase, PublishedFinding, PublishedResult } from "./published-result.ts";
import { cutText } from "./visible-text.ts";

const outcomeWords = {
  passed: "✅ passed",
  blocked: "⛔ blocked",
  undetermined: "❔ undetermined",
  unchecked: "❔ unchecked",
} as const;
const marks: Readonly<Record<PublishedFinding["severity"], string>> = {
  block: "⛔",
  undetermined: "❔",
  warn: "⚠️",
  info: "ℹ️",
};
const checkMarks: Partial<Record<PublishedCase["state"], string>> = { passed: "✅", failed: "❌" };
const most = 50;

/** Markdown for the summary of a step: the outcome, the checks, the findings, what it does not prove. Ends with a line break. */
export function renderGithubSummary(result: PublishedResult): string {
  const checks = result.cases.filter(({ suite }) => suite === "acceptance");
  const notPassed = result.cases.filter(({ suite, state }) => suite.startsWith("tests") && state !== "passed");
  const lines = [
    `### Trueup: ${outcomeWords[result.outcome]}`,
    "",
    // Our own first word stands as it is, so that it can be searched for; what follows may hold foreign codes.
    result.headline.replace(/^(\w+:)?(.*)$/su, (_, start: string = "", rest: string) => start + escapeMarkdown(rest)),
    ...section("Checks", checks.map(checkLine)),
    ...section("Findings", result.findings.map(findingLine)),
    ...section("Tests that did not pass plainly", notPassed.map(testLine)),
    ...section("Claimed and verified", claimTable(result)),
    "",
    "| | |",
    "|---|---|",
    ...Object.entries(result.properties).map(
      ([name, value]) => `| ${foreign(name)} | ${codeSpan(cutText(value, 500))} |`,
    ),
    ...section(
      "What this does not prove",
      result.notes.map((note) => `- ${note}`),
    ),
  ];
  return capBody(lines.join("\n"));
}

function section(title: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  const left = lines.length - most;
  return ["", `#### ${title}`, "", ...lines.slice(0, most), ...(left > 0 ? [`- and ${left} more`] : [])];
}

function claimTable({ claims }: PublishedResult): readonly string[] {
  if (claims.length === 0) return [];
  const rows = claims.map((one) => [one.about, one.claimed, one.verified, one.standing].map(foreign).join(" | "));
  return ["| about | claimed | verified | |", "|---|---|---|---|", ...rows.map((row) => `| ${row} |`)];
}

function checkLine({ name, state, message }: PublishedCase): string {
  return `- ${checkMarks[state] ?? "❔"} ${foreign(name)} — ${foreign(message)}`;
}

function findingLine({ severity, code, title, about, hint }: PublishedFinding): string {
  return `- ${marks[severity]} ${codeSpan(code)} ${escapeMarkdown(title)}${about === "" ? "" : ` — ${foreign(about)}`}. ${escapeMarkdown(hint)}`;
}

function testLine({ name, file, told, message }: PublishedCase): string {
  const [first = ""] = message.split("\n");
  return `- ${foreign(told)} ${file === null ? "" : `${foreign(file)} `}${foreign(name)}${first === "" ? "" : ` — ${foreign(first)}`}`;
}

function foreign(text: string): string {
  return escapeMarkdown(cutText(text, 500));
}
