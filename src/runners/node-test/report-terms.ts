import type { TestCase } from "../../core/facts/index.ts";
import type { RunnerReport } from "../../core/test-report/index.ts";
import { isXmlText } from "../xml-text.ts";
import { decodeNodeTestJunit } from "./dialect.ts";

/** node's own report without files: node 20 and 22 name none, and 24 the file in which a test was written, not the one that ran. */
export function readOwnReport(bytes: Uint8Array, root: string): RunnerReport | string {
  const report = decodeNodeTestJunit(bytes, root);
  if (typeof report === "string") return report;
  return { ...report, cases: report.cases.map((item) => ({ ...item, ...namesOf(item), file: "" })) };
}

const entities: Readonly<Record<string, string>> = { quot: '"', amp: "&", lt: "<", gt: ">", apos: "'" };

/** node escapes some names twice and leaves what looks escaped as it is, by version: both sides are compared without any escape. */
function unescaped(text: string): string {
  const once = text.replace(/&(quot|amp|lt|gt|apos);/gu, (whole, name: string) => entities[name] ?? whole);
  return once === text ? text : unescaped(once);
}

function namesOf({ suite, title }: { readonly suite: readonly string[]; readonly title: string }) {
  return { suite: suite.map(unescaped), title: unescaped(title) };
}

/** The witness's cases as node's own report names them: a test that holds tests is a suite there, and says nothing of itself. */
export function nodeTestTerms(cases: readonly TestCase[]): RunnerReport["cases"] | null {
  if (!cases.every((item) => [...item.suite, item.title].every(isXmlText))) return null;
  const parents = new Set(
    cases.flatMap((item) => item.suite.map((_, depth) => placeOf(item, item.suite.slice(0, depth + 1)))),
  );
  return cases
    .filter((item) => !parents.has(placeOf(item, [...item.suite, item.title])))
    .map((item) => ({ file: "", ...namesOf(item), state: plain(item.state) }));
}

const placeOf = (item: TestCase, titles: readonly string[]): string => JSON.stringify([item.file, titles]);

function plain(state: TestCase["state"]): RunnerReport["cases"][number]["state"] {
  return state === "retried" || state === "expected-failure" ? "passed" : state;
}
