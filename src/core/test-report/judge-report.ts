import type { ExitFact, RunFacts, TestCase } from "../facts/index.ts";
import { brokenClaims, type ReportContent, type ReportFlaw } from "./report-content.ts";
import { withOrdinals } from "./with-ordinals.ts";

/** What may be found in a report, with its fixed severity. A code is stable: scripts name it. */
const severities = {
  "tests-failed": "block",
  "tests-unfinished": "block",
  "files-failed": "block",
  "file-reported-nothing": "block",
  "unhandled-errors": "block",
  "no-tests": "block",
  "counts-differ": "block",
  "exit-differs": "block",
  "report-says-failed": "block",
  "report-says-passed": "block",
  "snapshots-failed": "block",
  interrupted: "block",
  "report-older": "block",
  "report-empty": "undetermined",
  "report-unreadable": "undetermined",
  "runner-unknown": "undetermined",
  "runner-differs": "undetermined",
  "runner-hides-errors": "undetermined",
  "runners-mixed": "undetermined",
  "exit-unknown": "undetermined",
  "header-incomplete": "undetermined",
  "impossible-number": "undetermined",
  "unknown-content": "undetermined",
  "not-plain-passes": "undetermined",
  "other-states-allowed": "warn",
  "same-names": "warn",
  "todo-failed": "warn",
  "open-handles": "warn",
} as const;

export type ReportFindingCode = keyof typeof severities;

/** One thing found in a report. `subject` is short and measured; reporters add the words. */
export interface ReportFinding {
  readonly code: ReportFindingCode;
  readonly severity: "block" | "undetermined" | "warn";
  readonly subject: string;
}

/** The report, and what is known beside it. */
export interface ReportQuestion {
  readonly content: ReportContent;
  /** How the process ended; null when nobody says. */
  readonly exit: ExitFact | null;
  /** The run began no earlier than this, milliseconds since 1970; null when nobody says. */
  readonly since: number | null;
  /** When the file was last written, milliseconds since 1970. */
  readonly writtenAt: number;
  /** How many tests may be skipped, todo, expected to fail or retried. */
  readonly allowOther: number;
}

/** What a report really says. */
export interface JudgedReport {
  readonly cases: readonly TestCase[];
  readonly counts: Readonly<Record<TestCase["state"] | "total", number>>;
  readonly reason: RunFacts["reason"];
  /** Sorted by severity, then by code. */
  readonly findings: readonly ReportFinding[];
}

/** The finding of that code, with its severity. */
function found(code: ReportFindingCode, subject: string): ReportFinding {
  return { code, severity: severities[code], subject: subject.slice(0, 500) };
}

/** How many cases are in each state, every state named, and in all. */
function countStates(cases: readonly { readonly state: TestCase["state"] }[]): JudgedReport["counts"] {
  const counts = { passed: 0, failed: 0, skipped: 0, todo: 0, pending: 0, "expected-failure": 0, retried: 0, total: 0 };
  for (const { state } of cases) {
    counts[state] += 1;
    counts.total += 1;
  }
  return counts;
}

/** How many, and the first three by name. */
function listed(names: readonly string[]): string {
  const more = names.length > 3 ? `, and ${names.length - 3} more` : "";
  return `${names.length}: ${names.slice(0, 3).join(", ")}${more}`;
}

const nameOf = (item: Pick<TestCase, "file" | "suite" | "title">): string =>
  [item.file, ...item.suite, item.title].filter((part) => part !== "").join(" > ");

function caseFindings(cases: readonly TestCase[], question: ReportQuestion): ReportFinding[] {
  const counts = countStates(cases);
  const named = (state: TestCase["state"]): string => listed(cases.filter((item) => item.state === state).map(nameOf));
  const others = (["skipped", "todo", "expected-failure", "retried"] as const).filter((state) => counts[state] > 0);
  const other = others.reduce((sum, state) => sum + counts[state], 0);
  const told = others.map((state) => `${counts[state]} ${state}`).join(", ");
  const again = cases.filter((item) => item.ordinal === 1);
  return [
    ...(counts.total === 0 ? [found("no-tests", "0 tests")] : []),
    ...(counts.failed > 0 ? [found("tests-failed", named("failed"))] : []),
    ...(counts.pending > 0 ? [found("tests-unfinished", named("pending"))] : []),
    ...(other === 0
      ? []
      : [
          found(
            other > question.allowOther ? "not-plain-passes" : "other-states-allowed",
            `${told} (allowed ${question.allowOther})`,
          ),
        ]),
    ...(counts.passed === 0 && counts.total > 0 && counts.failed + counts.pending === 0
      ? [found("no-tests", `no plain pass among ${counts.total}`)]
      : []),
    ...(again.length > 0 ? [found("same-names", listed(again.map(nameOf)))] : []),
  ];
}

function flawFindings(flaws: readonly ReportFlaw[]): ReportFinding[] {
  const codes = [...new Set(flaws.map((flaw) => flaw.code))];
  return codes.map((code) =>
    found(code, listed(flaws.filter((flaw) => flaw.code === code).map((flaw) => flaw.subject))),
  );
}

function headerFindings(content: ReportContent, bad: boolean): ReportFinding[] {
  const broken = brokenClaims(content).map(
    ({ key, says, least, most }) =>
      `${key} says ${says}, the list holds ${least === most ? least : `${least} to ${most}`}`,
  );
  return [
    ...(broken.length > 0 ? [found("counts-differ", broken.slice(0, 5).join("; "))] : []),
    ...(content.success === false && !bad ? [found("report-says-failed", "and lists nothing that failed")] : []),
    ...(content.success === true && bad ? [found("report-says-passed", "and lists what did not")] : []),
  ];
}

/** The words of an exit, as a shell would say it. */
const exitWords = (exit: ExitFact): string =>
  exit.code === null ? (exit.signal ?? exit.error ?? "no exit code") : `exit ${exit.code}`;

function exitFindings(exit: ExitFact | null, bad: boolean, tests: number): ReportFinding[] {
  if (exit === null) return [found("exit-unknown", "a green report may stand beside exit 1; give --exit N")];
  if (exit.code === 0 && bad) return [found("exit-differs", "exit 0, and the report lists what did not pass")];
  if (exit.code !== 0 && !bad && tests > 0) {
    return [found("exit-differs", `${exitWords(exit)}, and the report lists nothing that failed`)];
  }
  return [];
}

function timeFindings({ content, since, writtenAt }: ReportQuestion): ReportFinding[] {
  if (since === null) return [];
  const oldest = Math.min(content.startedAt ?? writtenAt, writtenAt);
  // Reports and file systems round to seconds.
  return oldest + 1000 < since ? [found("report-older", `${Math.ceil((since - oldest) / 1000)} s before the run`)] : [];
}

const rank = { block: 0, undetermined: 1, warn: 2 } as const;

/**
 * Recounts a report and sets every signal beside every other: list, header, its word of success, files, exit code. A
 * pass is only what none of them denies.
 */
export function judgeReport(question: ReportQuestion): JudgedReport {
  const { content, exit } = question;
  const cases: TestCase[] = withOrdinals(content.cases);
  const counts = countStates(cases);
  const files = content.modules.filter((item) => item.state === "failed" && item.errors.length > 0);
  const failures: ReportFinding[] = [
    ...(files.length > 0 ? [found("files-failed", listed(files.map((item) => item.file)))] : []),
    ...(content.unhandled.length > 0 ? [found("unhandled-errors", String(content.unhandled.length))] : []),
    ...flawFindings(content.flaws.filter((flaw) => flaw.code === "interrupted" || flaw.code === "snapshots-failed")),
  ];
  const bad = counts.failed + counts.pending > 0 || failures.length > 0;
  const others = content.flaws.filter((flaw) => flaw.code !== "interrupted" && flaw.code !== "snapshots-failed");
  const findings = [
    ...caseFindings(cases, question),
    ...failures,
    ...flawFindings(others),
    ...headerFindings(content, bad),
    ...exitFindings(exit, bad || content.success === false, counts.total),
    ...timeFindings(question),
  ].toSorted((a, b) => rank[a.severity] - rank[b.severity] || (a.code < b.code ? -1 : a.code > b.code ? 1 : 0));
  return { cases, counts, reason: reasonOf(findings), findings };
}

function reasonOf(findings: readonly ReportFinding[]): RunFacts["reason"] {
  if (findings.some((finding) => finding.code === "interrupted")) return "interrupted";
  const outcome = outcomeOfReport(findings);
  return outcome === "undetermined" ? "unknown" : outcome;
}

/** `passed` only when nothing blocks and nothing is left open. */
export function outcomeOfReport(findings: readonly ReportFinding[]): "passed" | "failed" | "undetermined" {
  if (findings.some((finding) => finding.severity === "block")) return "failed";
  return findings.some((finding) => finding.severity === "undetermined") ? "undetermined" : "passed";
}

/** The findings of a report that could not be read. */
export function unreadReport(code: ReportFindingCode, subject: string): JudgedReport {
  const findings = [found(code, subject)];
  return { cases: [], counts: countStates([]), reason: "unknown", findings };
}
