import {
  compareClaim,
  measureDirection,
  measureMovement,
  type CriterionResult,
  type Finding,
} from "../core/gate/index.ts";
import { codeSpan, escapeMarkdown, quoteMarkdown } from "./escape-markdown.ts";
import { wordsOf } from "./finding-words.ts";
import { printedWords } from "./printed-words.ts";
import { claimOf, notProven, overridesOf, overrideWords, type Report } from "./report.ts";
import { cutLines, cutText } from "./visible-text.ts";

const marks: Readonly<Record<CriterionResult["outcome"], string>> = { passed: "✅", failed: "❌", undetermined: "❔" };
const severityMarks: Readonly<Record<Finding["severity"], string>> = {
  block: "⛔",
  undetermined: "❔",
  warn: "⚠️",
  info: "ℹ️",
};
const maxItems = 50;
const maxItemCharacters = 500;

/** One line a criterion: `- ✅ changed_files_only — changed: a, b`. */
export function criteriaLines(report: Report): readonly string[] {
  return report.verdict.criteria.map(({ kind, outcome, detail }) => `- ${marks[outcome]} ${kind} — ${foreign(detail)}`);
}

/** Findings with their words; those that decide come first. */
export function findingLines(report: Report): readonly string[] {
  const lines = report.verdict.findings.map((one) => {
    const { code, severity, subject, detail } = one;
    const mark =
      overridesOf(report.verdict, one).length > 0 ? `${severityMarks[severity]} overridden` : severityMarks[severity];
    const { title, hint } = wordsOf(code);
    const about = [subject, detail]
      .filter((part) => part !== "")
      .map(foreign)
      .join(": ");
    return `- ${mark} ${codeSpan(code)} ${title}${about === "" ? "" : ` — ${about}`}. ${hint}`;
  });
  return section("Findings", atMost(lines));
}

/** Who took which finding on, and why. */
export function overrideLines({ verdict }: Report): readonly string[] {
  return section("Overrides", atMost((verdict.overrides ?? []).map((one) => `- ${foreign(overrideWords(one))}`)));
}

/** What failed processes printed, quoted. */
export function printedLines(report: Report): readonly string[] {
  return printedWords(report).flatMap(({ subject, lines }) =>
    section(`What ${subject} printed (not evidence)`, quoteMarkdown(lines)),
  );
}

/** Identities that came, stayed and went. */
export function movementLines(report: Report): readonly string[] {
  const { ran, added, kept, lost, passed } = measureMovement(report.facts, report.contract);
  if (!ran) return section("Tests", ["No test was run by the executor."]);
  const list = (items: readonly string[]): readonly string[] => atMost(items.map((item) => `  - ${foreign(item)}`));
  return section("Tests", [
    `- Passed on head: ${passed}`,
    `- Added: ${added.length}`,
    ...list(added),
    `- Kept from base: ${kept}`,
    `- Lost (passed on base, not on head): ${lost.length}`,
    ...list(lost),
    ...directionLines(report),
  ]);
}

/** How many new tests fail over base's sources, and how many base tests were tried over head's. */
function directionLines({ facts, contract }: Report): readonly string[] {
  const measured = contract === null ? [] : measureDirection(facts, contract);
  if (measured.length === 0) return ["- Direction: not measured."];
  return measured.map(({ index, red, byAssertion, added, kept, notRun }) => {
    if (notRun !== null) return `- Direction of tests[${index}]: not measured, ${foreign(notRun)}.`;
    const base = kept === null ? "" : `; of base's copies of changed tests ${kept.held} of ${kept.all} still hold`;
    return `- Direction of tests[${index}]: ${red} of ${added} new tests fail on base (${byAssertion} by assertion)${base}.`;
  });
}

/** Grade, its costs, the sandbox, the programs. */
export function measuredLines(report: Report): readonly string[] {
  const { verdict, facts } = report;
  const { isolation } = facts;
  const room =
    isolation === null ? "none" : `${isolation.driver} ${isolation.version}, work tree ${isolation.work_tree}`;
  const features = (isolation?.features ?? []).map(({ name, state }) => `${name} ${state}`).join(", ");
  const tools = facts.toolchain.map(({ name, version }) => `${name} ${version}`).join(", ");
  return section("How it was measured", [
    `- Grade ${verdict.grade.value} (minimum ${verdict.policy.minimum_grade})${verdict.policy.strict ? ", strict" : ""}`,
    ...verdict.grade.costs.map((cost) => `  - ${foreign(cost)}`),
    `- Isolation: ${foreign(room)}${features === "" ? "" : ` (${foreign(features)})`}`,
    `- Base: ${foreign(facts.subject.base_ref)} from ${foreign(facts.subject.base_source)}${facts.subject.base_pinned ? ", pinned" : ", not pinned"}`,
    ...(tools === "" ? [] : [`- Programs: ${foreign(tools)}`]),
  ]);
}

/** Every digest that ties the report to its inputs. */
export function digestLines(report: Report): readonly string[] {
  const { verdict, facts } = report;
  const rows: readonly (readonly [string, string])[] = [
    ["base commit", verdict.base_commit],
    ["tree", verdict.tree],
    ["change", verdict.change_digest],
    ["same edit", facts.change.same_edit_key],
    ["patch", facts.change.patch_digest],
    ["contract", verdict.inputs.contract ?? "none"],
    ["facts", verdict.inputs.facts],
  ];
  return section("Digests", [
    "| of | digest |",
    "|---|---|",
    ...rows.map(([name, value]) => `| ${name} | ${codeSpan(value)} |`),
  ]);
}

/** What the reader must not conclude. */
export function notProvenLines(report: Report): readonly string[] {
  return section(
    "What this does not prove",
    notProven(report).map((sentence) => `- ${sentence}`),
  );
}

/** Claimed beside verified, then the agent's words, quoted; never anything else after them. */
export function claimLines(report: Report, words: string | null): readonly string[] {
  const rows = compareClaim(report.facts, report.contract, claimOf(report));
  const table = rows.map(({ about, claimed, verified, standing }) => {
    const mark = standing === "contradicted" ? "❌ contradicted" : standing;
    return `| ${about} | ${escapeMarkdown(claimed)} | ${escapeMarkdown(verified)} | ${mark} |`;
  });
  const head = ["| about | claimed by the agent | verified by the executor | |", "|---|---|---|---|"];
  const text = words ?? claimOf(report)?.text ?? "";
  return [
    ...(table.length === 0 ? [] : section("Claimed beside verified", [...head, ...table])),
    ...(text.trim() === ""
      ? []
      : section(
          "The agent's own words (a claim, not verified)",
          quoteMarkdown(cutLines(text, { lines: 100, characters: 1000 })),
        )),
  ];
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", `### ${title}`, "", ...lines];
}

function foreign(text: string): string {
  return escapeMarkdown(cutText(text, maxItemCharacters));
}

function atMost(lines: readonly string[]): readonly string[] {
  return lines.length <= maxItems ? lines : [...lines.slice(0, maxItems), `- and ${lines.length - maxItems} more`];
}
