import type { TestCase, TestModule } from "../../core/facts/index.ts";
import type { HeaderClaim, ReportContent, ReportedCase, ReportFlaw } from "../../core/test-report/index.ts";
import { repositoryPath } from "../../core/test-report/index.ts";
import { commonFlaws } from "../junit-flaws.ts";
import type { JunitCase, JunitDocument } from "../read-junit.ts";
import { saidErrors } from "../report-bytes.ts";
import { readCount } from "../read-numbers.ts";

const countNames = ["tests", "failures", "errors", "skipped"] as const;
type CountName = (typeof countNames)[number];

/** Surefire marks a pass after a failure by `flakyFailure`; CTest a test whose program is missing by `notrun`. */
function stateOf(item: JunitCase): TestCase["state"] {
  const kinds = new Set(item.outcomes.map((outcome) => outcome.kind));
  if (kinds.has("failure") || kinds.has("error")) return "failed";
  if (item.attributes["status"] === "notrun") return kinds.has("skipped") ? "pending" : "skipped";
  if (kinds.has("skipped")) return item.outcomes.some((outcome) => outcome.type === "todo") ? "todo" : "skipped";
  if (kinds.has("rerun")) return "retried";
  return item.attributes["name"] === undefined ? "pending" : "passed";
}

function caseOf(item: JunitCase, document: JunitDocument, root: string): ReportedCase {
  const { classname = "", name = "" } = item.attributes;
  const around = document.suites[item.suite];
  const path = around?.path ?? [];
  const file = item.attributes["file"] ?? around?.attributes["file"] ?? "";
  return {
    project: "",
    file: repositoryPath(root, file),
    suite: classname === "" || classname === path.at(-1) ? path : [...path, classname],
    title: name,
    state: stateOf(item),
    errors: item.outcomes
      .filter((outcome) => outcome.kind !== "skipped")
      .map((outcome) => (outcome.text === "" ? outcome.message : outcome.text)),
  };
}

/** Suites that carry an error of their own, outside any case. */
function modulesOf(document: JunitDocument, root: string): TestModule[] {
  return document.suites
    .filter((suite) => suite.outcomes.some((outcome) => outcome.kind !== "skipped"))
    .map((suite) => ({
      project: "",
      file: repositoryPath(root, suite.attributes["file"] ?? suite.path.join(" > ")),
      state: "failed",
      errors: saidErrors(suite.outcomes.map((outcome) => (outcome.text === "" ? outcome.message : outcome.text))),
    }));
}

/** What one suite holds itself and with everything below it: writers count either. */
interface Tally {
  readonly own: Record<CountName, number>;
  readonly all: Record<CountName, number>;
  nested: number;
}

const none = (): Record<CountName, number> => ({ tests: 0, failures: 0, errors: 0, skipped: 0 });

function addCase(tally: Record<CountName, number>, item: JunitCase): void {
  tally.tests += 1;
  const kinds = new Set(item.outcomes.map((outcome) => outcome.kind));
  if (kinds.has("failure")) tally.failures += 1;
  if (kinds.has("error")) tally.errors += 1;
  if (kinds.has("skipped")) tally.skipped += 1;
}

function tallySuites(document: JunitDocument): Tally[] {
  const tallies: Tally[] = document.suites.map(() => ({ own: none(), all: none(), nested: 0 }));
  for (const item of document.cases) {
    const tally = tallies[item.suite];
    if (tally === undefined) continue;
    addCase(tally.own, item);
    addCase(tally.all, item);
  }
  // Children stand behind their parents, so from the back each is whole before it is added to its parent.
  for (let index = document.suites.length - 1; index > 0; index -= 1) {
    const tally = tallies[index];
    const parent = tallies[document.suites[index]?.parent ?? 0];
    if (tally === undefined || parent === undefined) continue;
    parent.nested += 1;
    for (const name of countNames) parent.all[name] += tally.all[name];
  }
  return tallies;
}

function claimsOf(document: JunitDocument, tallies: readonly Tally[]): HeaderClaim[] {
  return document.suites.flatMap((suite, index) => {
    const tally = tallies[index];
    if (tally === undefined) return [];
    const where = suite.path.length === 0 ? "testsuites" : suite.path.join(" > ");
    return countNames.flatMap((name): HeaderClaim[] => {
      const says = readCount(suite.attributes[name]);
      if (says === null) return [];
      const held = [tally.own[name], tally.all[name]];
      // Without a count of its own an error counts as a failure.
      if (name === "failures" && suite.attributes["errors"] === undefined) {
        held.push(tally.own.failures + tally.own.errors, tally.all.failures + tally.all.errors);
      }
      const exact = held.includes(says);
      return [
        { key: `${where}: ${name}`, says, least: exact ? says : tally.all[name], most: exact ? says : tally.all[name] },
      ];
    });
  });
}

/** Names of the runners whose mark a file carries; more than one means that files were put together. */
function marksOf(document: JunitDocument): string[] {
  const [root] = document.suites;
  const roots: Readonly<Record<string, string>> = {
    "vitest tests": "vitest",
    "jest tests": "jest",
    "bun test": "bun",
    "pytest tests": "pytest",
  };
  const name = root?.attributes["name"] ?? "";
  const top = document.suites.filter((suite) => suite.parent === 0 || suite.parent === null);
  return [
    ...(Object.hasOwn(roots, name) ? [roots[name] ?? ""] : []),
    ...(name !== "pytest tests" && top.some((suite) => suite.attributes["name"] === "pytest") ? ["pytest"] : []),
    ...(document.comments.some((comment) => /^ tests \d+ $/u.test(comment)) ? ["node-test"] : []),
  ];
}

/** A file of two runners: pytest writes one suite, so another beside it is another runner's. */
function mixedRunners(document: JunitDocument): string[] {
  const marks = marksOf(document);
  const suites = document.suites.filter((suite) => suite.parent === 0);
  const beside = marks.includes("pytest") && suites.some((suite) => suite.attributes["name"] !== "pytest");
  return beside && marks.length < 2 ? [...marks, "another"] : marks;
}

function flawsOf(document: JunitDocument, tallies: readonly Tally[]): ReportFlaw[] {
  const marks = mixedRunners(document);
  const uncounted = document.suites.filter((suite, index) => {
    const bare = suite.path.length === 0 && tallies[index]?.own.tests === 0;
    return !bare && (["tests", "failures"] as const).some((name) => readCount(suite.attributes[name]) === null);
  });
  const empty = document.suites.filter((suite, index) => {
    const tally = tallies[index];
    return suite.parent !== null && tally?.nested === 0 && tally.own.tests === 0 && suite.outcomes.length === 0;
  });
  return [
    ...uncounted
      .slice(0, 5)
      .map((suite) => ({ code: "header-incomplete", subject: `no counts in ${suite.path.join(" > ")}` }) as const),
    ...empty.map((suite) => ({ code: "file-reported-nothing", subject: suite.path.join(" > ") }) as const),
    ...(marks.length > 1 ? [{ code: "runners-mixed", subject: marks.join(", ") } as const] : []),
    ...commonFlaws(document),
  ];
}

function headerOf(document: JunitDocument): Record<string, number> {
  const attributes = document.suites[0]?.attributes ?? {};
  return Object.fromEntries(
    countNames.flatMap((name) => {
      const says = readCount(attributes[name]);
      return says === null ? [] : [[name, says] as const];
    }),
  );
}

/** All that a JUnit file says by the words that its writers share; nothing is taken from a runner's habits. */
export function junitContent(document: JunitDocument, root: string): ReportContent {
  const tallies = tallySuites(document);
  return {
    runner: "junit",
    cases: document.cases.map((item) => caseOf(item, document, root)),
    modules: modulesOf(document, root),
    unhandled: [],
    header: headerOf(document),
    success: null,
    claims: claimsOf(document, tallies),
    flaws: flawsOf(document, tallies),
    startedAt: null,
  };
}

/** True when the file carries the marks of more than one runner. */
export function isMixedJunit(document: JunitDocument): boolean {
  return mixedRunners(document).length > 1;
}
