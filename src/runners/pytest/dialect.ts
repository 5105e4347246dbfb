import type { TestCase, TestModule } from "../../core/facts/index.ts";
import {
  exactly,
  repositoryPath,
  toRunnerReport,
  type HeaderClaim,
  type ReportContent,
  type ReportedCase,
  type ReportFlaw,
  type RunnerReport,
} from "../../core/test-report/index.ts";
import { commonFlaws } from "../junit-flaws.ts";
import { readJunit, type JunitCase, type JunitDocument } from "../read-junit.ts";
import { saidErrors } from "../report-bytes.ts";
import { readCount } from "../read-numbers.ts";

const countNames = ["tests", "failures", "errors", "skipped"] as const;
type Counts = Readonly<Record<(typeof countNames)[number], number>>;

function readCounts(document: JunitDocument): Counts | string {
  const attributes = document.suites[1]?.attributes ?? {};
  const bad = countNames.find((name) => readCount(attributes[name]) === null);
  if (bad !== undefined) return `the suite has no count "${bad}"`;
  const count = (name: string): number => readCount(attributes[name]) ?? 0;
  return { tests: count("tests"), failures: count("failures"), errors: count("errors"), skipped: count("skipped") };
}

/** True for the case that pytest makes of a file it could not collect: it has no class, only the file's dotted name. */
function isFile(item: JunitCase): boolean {
  const collected = item.outcomes.some(({ kind, message }) => kind === "error" && message === "collection failure");
  return collected || (item.attributes["classname"] === "" && item.outcomes.length > 0);
}

/**
 * xfail is `expected-failure`; a loose xpass cannot be told from a pass. A case without a name is one that pytest began
 * and never finished.
 */
function stateOf(item: JunitCase): TestCase["state"] {
  if (item.outcomes.some((outcome) => outcome.kind !== "skipped")) return "failed";
  if (item.outcomes.some((outcome) => outcome.type === "pytest.xfail")) return "expected-failure";
  if (item.outcomes.length > 0) return "skipped";
  return item.attributes["name"] === undefined ? "pending" : "passed";
}

const errorsOf = (item: JunitCase): string[] =>
  item.outcomes
    .filter((outcome) => outcome.kind !== "skipped")
    .map((outcome) => (outcome.text === "" ? outcome.message : outcome.text));

function caseOf(item: JunitCase, root: string): ReportedCase {
  const { file = "", classname = "", name = "" } = item.attributes;
  return {
    project: "",
    file: repositoryPath(root, file),
    suite: classname === "" ? [] : [classname],
    title: name,
    state: stateOf(item),
    errors: errorsOf(item),
  };
}

/** A file is known by its dotted name only: `pkg/test_a.py` is `pkg.test_a`. */
function moduleOf(item: JunitCase): TestModule {
  const { file, name = "" } = item.attributes;
  return { project: "", file: file ?? name, state: "failed", errors: saidErrors(errorsOf(item)) };
}

/** How many of pytest's phases this case stands for: a teardown that fails after a pass counts beside it. */
function weightOf(item: JunitCase): number {
  if (item.attributes["name"] === undefined) return 0;
  return isTeardown(item) ? 2 : Math.max(1, item.outcomes.length);
}

/** Whether all that a case says is that the teardown failed: of a test that passed, or again of one that failed. */
export function isTeardown({ outcomes: [only, ...more] }: JunitCase): boolean {
  return more.length === 0 && only?.kind === "error" && only.message.startsWith("failed on teardown");
}

function claimsOf(document: JunitDocument, counts: Counts): HeaderClaim[] {
  const outcomes = document.cases.flatMap((item) => item.outcomes);
  const count = (kind: string): number => outcomes.filter((outcome) => outcome.kind === kind).length;
  return [
    exactly(
      "tests",
      counts.tests,
      document.cases.reduce((sum, item) => sum + weightOf(item), 0),
    ),
    exactly("failures", counts.failures, count("failure")),
    exactly("errors", counts.errors, count("error")),
    exactly("skipped", counts.skipped, count("skipped")),
  ];
}

function flawsOf(document: JunitDocument, counts: Counts | string): ReportFlaw[] {
  return [
    ...(typeof counts === "string" ? [{ code: "header-incomplete", subject: counts } as const] : []),
    ...(document.suites.length === 2
      ? []
      : [{ code: "unknown-content", subject: `${document.suites.length - 1} suites, pytest writes one` } as const]),
    ...commonFlaws(document),
  ];
}

/** All that a JUnit file of pytest says. The format gives `file` in its family xunit1 only. */
export function pytestContent(document: JunitDocument, root: string): ReportContent {
  const counts = readCounts(document);
  const started = Date.parse(document.suites[1]?.attributes["timestamp"] ?? "");
  return {
    runner: "pytest",
    cases: document.cases.filter((item) => !isFile(item)).map((item) => caseOf(item, root)),
    modules: document.cases.filter(isFile).map(moduleOf),
    unhandled: [],
    header: typeof counts === "string" ? {} : counts,
    success: typeof counts === "string" ? null : counts.failures + counts.errors === 0,
    claims: typeof counts === "string" ? [] : claimsOf(document, counts),
    flaws: flawsOf(document, counts),
    startedAt: Number.isNaN(started) ? null : started,
  };
}

/** True when a JUnit file has the form that pytest gives it. A project may rename the suite (`junit_suite_name`). */
export function isPytestJunit(document: JunitDocument): boolean {
  const [root, suite] = document.suites;
  return (
    root?.path.length === 0 &&
    (root.attributes["name"] ?? "pytest tests") === "pytest tests" &&
    suite?.path.length === 1 &&
    suite.attributes["name"] === "pytest"
  );
}

/**
 * pytest's JUnit report (7, 8, 9; families xunit1 and xunit2) as the second witness reads it. `suite` is the one dotted
 * `classname`, `file` is empty under xunit2, and files that could not be collected are dotted names. A string says why
 * it cannot be read.
 */
export function decodePytestJunit(bytes: Uint8Array, root: string): RunnerReport | string {
  const document = readJunit(bytes);
  if (typeof document === "string") return document;
  const content = pytestContent(document, root);
  const spoilt = content.flaws.find((flaw) => flaw.code === "header-incomplete" || flaw.code === "unknown-content");
  if (spoilt !== undefined) return `the report is not pytest's: ${spoilt.subject}`;
  const told = (key: string): number => Number(content.header[key]);
  return toRunnerReport(content, {
    total: told("tests"),
    passed: told("tests") - told("failures") - told("errors") - told("skipped"),
    failed: told("failures") + told("errors"),
    success: content.success === true,
  });
}
