import { plainTitle } from "../core/publication/index.ts";
import { capBody } from "./cap-body.ts";
import { escapeMarkdown } from "./escape-markdown.ts";
import {
  claimLines,
  criteriaLines,
  digestLines,
  findingLines,
  measuredLines,
  movementLines,
  notProvenLines,
  overrideLines,
  printedLines,
} from "./markdown-sections.ts";
import { headline, type Report } from "./report.ts";

/** What a pull request carries besides the report. */
export interface PullRequestExtras {
  /** The invisible marker; it stands at the end, whole, however long the report is. */
  readonly marker?: string;
  /** The agent's last words, where they are not in the facts. */
  readonly agentWords?: string;
  /** The address of an earlier pull request for the same change, or null. */
  readonly links?: string | null;
}

/** The report as Markdown: the executor's facts first, the agent's words last, as a claim. */
export function renderMarkdown(report: Report): string {
  return capBody(reportLines(report, {}).join("\n"));
}

/** The body of a pull request: the same report, and the marker. */
export function renderPullRequestBody(report: Report, extras: PullRequestExtras = {}): string {
  const earlier =
    extras.links == null ? [] : ["", `Earlier pull request for the same change: ${escapeMarkdown(extras.links)}`];
  const lines = [...reportLines(report, extras), ...earlier];
  return capBody(lines.join("\n"), extras.marker ?? "");
}

/** The title of a pull request: the task's, as plain words. */
export function renderPullRequestTitle(_report: Report, title: string): string {
  return plainTitle(title);
}

function reportLines(report: Report, extras: PullRequestExtras): readonly string[] {
  const criteria = criteriaLines(report);
  return [
    // The codes in it may come from a stored verdict, so even our own line is escaped after its first word.
    headline(report.verdict).replace(
      /^(Acceptance:)(.*)$/su,
      (_, start: string, rest: string) => start + escapeMarkdown(rest),
    ),
    "",
    ...(report.contract === null
      ? ["There was no acceptance contract for this change: the executor ran no test of it. A person has to check it."]
      : criteria),
    ...followLines(extras.links ?? null),
    ...findingLines(report),
    ...overrideLines(report),
    ...printedLines(report),
    ...movementLines(report),
    ...measuredLines(report),
    ...digestLines(report),
    ...notProvenLines(report),
    ...claimLines(report, extras.agentWords ?? null),
  ];
}

/** A link that a reader can follow, when the address is one; else its words. */
function followLines(link: string | null): readonly string[] {
  if (link === null) return [];
  const plain = /^(?:https?|file):\/\/[\w.~:/@%-]+$/u.test(link);
  return ["", `This follows an earlier pull request: ${plain ? `<${link}>` : escapeMarkdown(link)}`];
}
