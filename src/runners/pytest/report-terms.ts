import type { TestCase } from "../../core/facts/index.ts";
import { toRunnerReport, type RunnerReport } from "../../core/test-report/index.ts";
import { readJunit, type JunitDocument } from "../read-junit.ts";
import { isXmlText } from "../xml-text.ts";
import { decodePytestJunit, isTeardown, pytestContent } from "./dialect.ts";

type ReportCase = RunnerReport["cases"][number];

/**
 * pytest's own report, cut down to titles and how they went: it names files as dotted words from a root of its own. One
 * test that failed and whose teardown failed stands twice in it, and an expected failure is a test that was skipped.
 */
export function readOwnReport(bytes: Uint8Array, root: string): RunnerReport | string {
  const whole = decodePytestJunit(bytes, root);
  const document = readJunit(bytes);
  if (typeof whole === "string") return whole;
  if (typeof document === "string") return document;
  const content = pytestContent(document, root);
  const cases = pytestContent(withoutEchoes(document), root).cases.map((item) => {
    const state = item.state === "expected-failure" ? ("skipped" as const) : item.state;
    return { ...item, file: "", suite: [], state };
  });
  // Subtests are counted beside their test, and are no cases of their own.
  const claims = content.claims.map((claim) => (claim.key === "tests" ? { ...claim, most: Number.MAX_VALUE } : claim));
  return toRunnerReport({ ...content, cases, claims }, whole.header);
}

/** The document without the second case of each test that had failed before its teardown did. */
function withoutEchoes(document: JunitDocument): JunitDocument {
  const failed = new Map<string, boolean>();
  const cases = document.cases.filter((item) => {
    const key = JSON.stringify([item.attributes["classname"], item.attributes["name"]]);
    const echo = isTeardown(item) && failed.get(key) === true;
    failed.set(
      key,
      item.outcomes.some(({ kind }) => kind !== "skipped"),
    );
    return !echo;
  });
  return { ...document, cases };
}

/** The witness's cases as that report names them; a file that skipped itself is no case there. */
export function pytestTerms(cases: readonly TestCase[]): RunnerReport["cases"] | null {
  if (!cases.every((item) => isXmlText(item.title))) return null;
  return cases
    .filter((item) => item.title !== "")
    .map(({ title, state }) => ({ file: "", suite: [], title, state: plain(state) }));
}

function plain(state: TestCase["state"]): ReportCase["state"] {
  return state === "retried" || state === "expected-failure" ? "passed" : state;
}
