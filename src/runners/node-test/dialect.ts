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
import { capText, saidErrors } from "../report-bytes.ts";

const countNames = ["tests", "suites", "pass", "fail", "cancelled", "skipped", "todo"] as const;
type Counts = Readonly<Record<(typeof countNames)[number], number>>;

const countComment = /^ (tests|suites|pass|fail|cancelled|skipped|todo) (\d{1,15}) $/u;

/**
 * The counts of node's closing comments, or which of them is not there exactly once: a test can write comments too
 * (`t.diagnostic`), and a report that was cut has none.
 */
function readCounts(document: JunitDocument): Counts | string {
  const found = new Map<string, number[]>();
  for (const comment of document.comments) {
    const [, name = "", digits = ""] = countComment.exec(comment) ?? [];
    if (name !== "") found.set(name, [...(found.get(name) ?? []), Number(digits)]);
  }
  const bad = countNames.find((name) => found.get(name)?.length !== 1);
  if (bad !== undefined) return `the count "${bad}" stands ${found.get(bad)?.length ?? 0} times, not once`;
  const count = (name: (typeof countNames)[number]): number => found.get(name)?.[0] ?? 0;
  return {
    tests: count("tests"),
    suites: count("suites"),
    pass: count("pass"),
    fail: count("fail"),
    cancelled: count("cancelled"),
    skipped: count("skipped"),
    todo: count("todo"),
  };
}

/** A name without spaces that ends as a script does, or one with spaces that node would take for a test file. */
const fileName = /^(?:\S+|(?:.*[/\\])?(?:[^/\\]*[._-])?test(?:-[^/\\]*)?)\.[cm]?[jt]sx?$/su;

/**
 * True for the case that node makes of a whole file: when it reported no test, and when its process failed. Its name
 * is the file's, whole in node 20, from the working directory in 22 and 24. Only 24 says besides which file a case is
 * of; where it does not, a test with a file's name counts as a file, for the other error would be a pass.
 */
function isFile(item: JunitCase): boolean {
  const { name = "", file } = item.attributes;
  if (item.suite !== 0) return false;
  if (file === undefined || file === "") return fileName.test(name);
  return file === name || file.endsWith(`/${name}`) || file.endsWith(`\\${name}`);
}

/** A todo that fails does not fail node's run; it is a todo here too, with its errors. */
function stateOf(item: JunitCase): TestCase["state"] {
  const skips = item.outcomes.filter((outcome) => outcome.kind === "skipped");
  if (skips.some((outcome) => outcome.type === "todo")) return "todo";
  if (item.attributes["failure"] !== undefined || item.outcomes.some((outcome) => outcome.kind !== "skipped")) {
    return "failed";
  }
  return skips.length > 0 ? "skipped" : "passed";
}

function errorsOf(item: JunitCase): string[] {
  const errors = item.outcomes
    .filter((outcome) => outcome.kind !== "skipped")
    .map((outcome) => (outcome.text === "" ? outcome.message : outcome.text));
  const { failure } = item.attributes;
  return errors.length === 0 && failure !== undefined ? [capText(failure)] : errors;
}

function caseOf(item: JunitCase, document: JunitDocument, root: string): ReportedCase {
  return {
    project: "",
    file: repositoryPath(root, item.attributes["file"] ?? ""),
    suite: document.suites[item.suite]?.path ?? [],
    title: item.attributes["name"] ?? "",
    state: stateOf(item),
    errors: errorsOf(item),
  };
}

function moduleOf(item: JunitCase, root: string): TestModule {
  const failed = stateOf(item) === "failed";
  return {
    project: "",
    file: repositoryPath(root, item.attributes["file"] ?? item.attributes["name"] ?? ""),
    state: failed ? "failed" : "passed",
    errors: failed ? saidErrors(errorsOf(item)) : [],
  };
}

/**
 * Node counts a test that holds tests among the tests, and writes it as a suite without saying how it went: with
 * suites in the report each state may exceed the list by their number, the total may not.
 */
function claimsOf(document: JunitDocument, counts: Counts): HeaderClaim[] {
  const parents = document.suites.length - 1;
  const within = (key: string, says: number, state: TestCase["state"]): HeaderClaim => {
    const counted = document.cases.filter((item) => stateOf(item) === state).length;
    return { key, says, least: Math.max(0, counted - parents), most: counted + parents };
  };
  return [
    exactly("tests + suites", counts.tests + counts.suites, document.cases.length + parents),
    exactly("tests", counts.tests, counts.pass + counts.fail + counts.cancelled + counts.skipped + counts.todo),
    within("pass", counts.pass, "passed"),
    within("fail + cancelled", counts.fail + counts.cancelled, "failed"),
    within("skipped", counts.skipped, "skipped"),
    within("todo", counts.todo, "todo"),
  ];
}

function flawsOf(document: JunitDocument, counts: Counts | string): ReportFlaw[] {
  const files = document.cases.filter(isFile).filter((item) => stateOf(item) !== "failed");
  const todos = document.cases.filter((item) => stateOf(item) === "todo" && errorsOf(item).length > 0);
  return [
    ...files.map(({ attributes }) => ({ code: "file-reported-nothing", subject: attributes["name"] ?? "" }) as const),
    ...todos.map(({ attributes }) => ({ code: "todo-failed", subject: attributes["name"] ?? "" }) as const),
    ...(typeof counts === "string" ? [{ code: "header-incomplete", subject: counts } as const] : []),
    ...commonFlaws(document),
  ];
}

/** All that a JUnit file of node:test says. The format names no file before node 24: `file` is empty then. */
export function nodeTestContent(document: JunitDocument, root: string): ReportContent {
  const counts = readCounts(document);
  return {
    runner: "node-test",
    cases: document.cases.filter((item) => !isFile(item)).map((item) => caseOf(item, document, root)),
    modules: document.cases.filter(isFile).map((item) => moduleOf(item, root)),
    unhandled: [],
    header: typeof counts === "string" ? {} : counts,
    success: typeof counts === "string" ? null : counts.fail + counts.cancelled === 0,
    claims: typeof counts === "string" ? [] : claimsOf(document, counts),
    flaws: flawsOf(document, counts),
    startedAt: null,
  };
}

/** True when a JUnit file has the form that node:test gives it: its counts are comments under a bare root. */
export function isNodeTestJunit(document: JunitDocument): boolean {
  const [root] = document.suites;
  return (
    root?.path.length === 0 &&
    Object.keys(root.attributes).length === 0 &&
    document.comments.some((comment) => countComment.test(comment))
  );
}

/**
 * The JUnit report of node:test (20, 22, 24) as the second witness reads it. Before node 24 the format names no file of
 * a case: `file` is empty. A string says why it cannot be read.
 */
export function decodeNodeTestJunit(bytes: Uint8Array, root: string): RunnerReport | string {
  const document = readJunit(bytes);
  if (typeof document === "string") return document;
  const content = nodeTestContent(document, root);
  const spoilt = content.flaws.find((flaw) => flaw.code === "header-incomplete" || flaw.code === "unknown-content");
  if (spoilt !== undefined) return `the report is not node's: ${spoilt.subject}`;
  const told = (key: string): number => Number(content.header[key]);
  return toRunnerReport(content, {
    total: told("tests"),
    passed: told("pass"),
    failed: told("fail") + told("cancelled"),
    success: content.success === true,
  });
}
