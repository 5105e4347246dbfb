import {
  compareClaim,
  measureMovement,
  type ClaimRow,
  type CriterionResult,
  type Finding,
  type Verdict,
} from "../core/gate/index.ts";
import type { RunFacts, TestCase } from "../core/facts/index.ts";
import { wordsOf } from "./finding-words.ts";
import { claimOf, headline, notProven, overridesOf, overrideWords, type Report } from "./report.ts";

/** A finding as other tools want it. All texts are foreign: each format escapes them in its own way. */
export interface PublishedFinding {
  readonly code: string;
  readonly severity: Finding["severity"];
  readonly title: string;
  readonly hint: string;
  /** The subject and what was measured; may be empty. */
  readonly about: string;
  /** The path, criterion or argument it is about; may be empty. */
  readonly subject: string;
  /** A file of the repository, with its line on head where one is known. */
  readonly place: { readonly path: string; readonly line: number | null } | null;
}

/** One line of a test report: a check of the contract, a finding that decides, or a test that ran. */
export interface PublishedCase {
  readonly suite: string;
  readonly name: string;
  readonly file: string | null;
  /** `error`: it could not be determined. Only `passed` is a pass. */
  readonly state: "passed" | "failed" | "error" | "skipped" | "pending" | "other";
  /** The state in our own words. */
  readonly told: string;
  readonly message: string;
}

/** What every machine-readable format is rendered from: the decision, its findings, and what was run. */
export interface PublishedResult {
  readonly headline: string;
  readonly outcome: "passed" | "blocked" | "undetermined" | "unchecked";
  readonly findings: readonly PublishedFinding[];
  readonly cases: readonly PublishedCase[];
  /** Facts of the whole for `properties` and tables: grade, tree, base. */
  readonly properties: Readonly<Record<string, string>>;
  /** What the change says of itself, beside what was measured. */
  readonly claims: readonly ClaimRow[];
  /** What a reader must not conclude, and further sentences of our own. */
  readonly notes: readonly string[];
  /** Milliseconds since 1970; 0 where nobody says. */
  readonly startedAt: number;
  readonly durationMs: number;
}

/** Who says it. */
export interface ToolWords {
  readonly version: string;
}

/** A judged change as other tools want it. A verdict that is not `passed` always has a case that did not pass. */
export function publishVerdict(report: Report): PublishedResult {
  const { verdict, facts } = report;
  const runs = facts.runs.filter(({ purpose }) => purpose === "head");
  const starts = [...facts.runs, ...facts.commands].flatMap(({ started_at: at }) =>
    at === undefined || Number.isNaN(Date.parse(at)) ? [] : [Date.parse(at)],
  );
  return {
    headline: headline(verdict),
    outcome: verdict.outcome,
    findings: [...verdict.findings.map((one) => publishFinding(one, report)), ...uncheckedFinding(verdict.outcome)],
    cases: [
      verdictCase(headline(verdict), verdict.outcome),
      ...verdict.criteria.map((one) => criterionCase(one, verdict)),
      ...verdict.findings.flatMap((one) => findingCase(one, verdict)),
      ...runs.flatMap((run) => run.cases.map((one) => testCase(`tests[${run.criterion}]`, one))),
      ...runs.flatMap(unhandledCases),
    ],
    properties: {
      outcome: verdict.outcome,
      grade: `${verdict.grade.value} (minimum ${verdict.policy.minimum_grade})`,
      base: verdict.base_commit,
      tree: verdict.tree,
      change: verdict.change_digest,
      contract: verdict.inputs.contract ?? "none",
      tests: testsWords(report),
    },
    claims: compareClaim(facts, report.contract, claimOf(report)),
    notes: [...(verdict.overrides ?? []).map(overrideWords), ...claimNotes(report), ...notProven(report)],
    startedAt: starts.length === 0 ? 0 : Math.min(...starts),
    durationMs: Math.round([...facts.runs, ...facts.commands].reduce((sum, one) => sum + one.duration_ms, 0)),
  };
}

/** A work of which nothing was judged: never an empty report, which others would read as a pass. */
export function publishNothing(reason: string): PublishedResult {
  const line = "Acceptance: nothing was judged";
  return {
    headline: line,
    outcome: "undetermined",
    findings: [
      {
        code: "nothing-judged",
        severity: "undetermined",
        title: "Nothing was judged",
        hint: "Read what the command printed.",
        about: reason,
        subject: "",
        place: null,
      },
    ],
    cases: [{ ...verdictCase(line, "undetermined"), message: reason }],
    properties: { outcome: "undetermined" },
    claims: [],
    notes: [],
    startedAt: 0,
    durationMs: 0,
  };
}

/** The one case that no consumer can miss. */
export function verdictCase(line: string, outcome: PublishedResult["outcome"]): PublishedCase {
  const state = outcome === "passed" ? "passed" : outcome === "blocked" ? "failed" : "error";
  return { suite: "verdict", name: "trueup", file: null, state, told: outcome, message: line };
}

/** A test as it ran. Whatever is no plain pass is none here either. */
export function testCase(suite: string, one: TestCase): PublishedCase {
  const again = one.ordinal === 0 ? [] : [`(${one.ordinal + 1})`];
  return {
    suite,
    name: [[...one.suite, one.title].filter((part) => part !== "").join(" > ") || "(no title)", ...again].join(" "),
    file: one.file === "" ? null : one.file,
    state: states[one.state],
    told: one.state,
    message: one.errors.join("\n"),
  };
}

const states: Readonly<Record<TestCase["state"], PublishedCase["state"]>> = {
  passed: "passed",
  failed: "failed",
  skipped: "skipped",
  todo: "skipped",
  pending: "pending",
  "expected-failure": "other",
  retried: "other",
};

function unhandledCases(run: RunFacts): readonly PublishedCase[] {
  const suite = `tests[${run.criterion}]`;
  const modules = run.modules.filter(({ errors }) => errors.length > 0);
  return [
    ...modules.map(({ file, errors }) => ({ suite, file, errors, name: "the file itself" })),
    ...run.unhandled.map((error) => ({ suite, file: null, errors: [error], name: "an error outside the tests" })),
  ].map(({ errors, ...one }) => ({ ...one, state: "failed", told: "failed", message: errors.join("\n") }));
}

/** Under a verdict `passed` a criterion that failed was opened by an override: no pass, and no failure for others either. */
function criterionCase({ kind, subject, outcome, detail }: CriterionResult, verdict: Verdict): PublishedCase {
  const name = subject === "" ? kind : `${kind}: ${subject}`;
  const own = { suite: "acceptance", name, file: null, message: detail } as const;
  if (verdict.outcome === "passed" && outcome !== "passed")
    return { ...own, state: "skipped", told: `${outcome}, overridden` };
  return { ...own, state: outcome === "undetermined" ? "error" : outcome, told: outcome };
}

function findingCase(one: Finding, verdict: Verdict): readonly PublishedCase[] {
  const { code, severity, subject, detail } = one;
  if (severity !== "block" && severity !== "undetermined") return [];
  const { title, hint } = wordsOf(code);
  const about = [title, subject, detail].filter((part) => part !== "").join(": ");
  const [taken] = overridesOf(verdict, one);
  return [
    {
      suite: "findings",
      name: subject === "" ? code : `${code}: ${subject}`,
      file: null,
      state: taken !== undefined ? "skipped" : severity === "block" ? "failed" : "error",
      told: taken === undefined ? severity : `${severity}, overridden by ${taken.user}`,
      message: `${about}\n${hint}`,
    },
  ];
}

function publishFinding(one: Finding, report: Report): PublishedFinding {
  const { title, hint } = wordsOf(one.code);
  const taken = overridesOf(report.verdict, one);
  return {
    code: one.code,
    // Still told, but no error: a person took it on.
    severity: taken.length > 0 ? "warn" : one.severity,
    title,
    hint,
    about: [one.subject, one.detail, ...taken.map(overrideWords)].filter((part) => part !== "").join(": "),
    subject: one.subject,
    place: placeOf(one, report),
  };
}

/** A finding of the lint has its line; any other that names a changed path has that path. */
function placeOf({ code, subject, detail }: Finding, { facts }: Report): PublishedFinding["place"] {
  const hit = (facts.lint ?? []).find(
    ({ rule, path, line, text }) =>
      code === `lint-${rule}` && path === subject && detail.startsWith(`line ${line}: ${text}`),
  );
  if (hit !== undefined) return { path: hit.path, line: hit.line };
  const known = facts.change.entries.some(({ path }) => path === subject);
  return known ? { path: subject, line: null } : null;
}

function uncheckedFinding(outcome: PublishedResult["outcome"]): readonly PublishedFinding[] {
  if (outcome !== "unchecked") return [];
  return [
    {
      code: "unchecked",
      severity: "undetermined",
      title: "There is no acceptance contract for this change",
      hint: "No test of it was run; a person has to check it.",
      about: "",
      subject: "",
      place: null,
    },
  ];
}

function testsWords({ facts, contract }: Report): string {
  const { ran, added, kept, lost, passed } = measureMovement(facts, contract);
  return ran ? `${passed} passed on head; ${added.length} added, ${kept} kept, ${lost.length} lost` : "none was run";
}

function claimNotes(report: Report): readonly string[] {
  const claim = claimOf(report);
  return claim === null || claim.text.trim() === ""
    ? []
    : ["The agent's own account of its work is not part of this; `report.md` quotes it as a claim."];
}
