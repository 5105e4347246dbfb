import { escapeXml, escapeXmlLines } from "./escape-xml.ts";
import type { PublishedCase, PublishedResult } from "./published-result.ts";
import { cutText } from "./visible-text.ts";

const maxName = 500;
const maxMessage = 10_000;

/**
 * JUnit XML: suites `verdict`, `acceptance`, `findings`, and one for each tests entry. A verdict that is not `passed` has
 * at least one failure or error, so that no consumer reads it as a pass. UTF-8, ends with a line break.
 */
export function renderJunit(result: PublishedResult): string {
  const seconds = (result.durationMs / 1000).toFixed(3);
  const suites = [...new Set(result.cases.map(({ suite }) => suite))];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="trueup" ${counts(result.cases)} time="${seconds}">`,
    ...suites.flatMap((suite) => suiteLines(suite, result)),
    "</testsuites>",
    "",
  ].join("\n");
}

function suiteLines(suite: string, result: PublishedResult): readonly string[] {
  const cases = result.cases.filter((one) => one.suite === suite);
  const timestamp =
    result.startedAt === 0 ? "" : ` timestamp="${new Date(result.startedAt).toISOString().slice(0, 19)}"`;
  return [
    `  <testsuite name="${short(suite)}" ${counts(cases)} time="0"${timestamp}>`,
    ...(suite === "verdict" ? propertyLines(result) : []),
    ...cases.flatMap(caseLines),
    "  </testsuite>",
  ];
}

function propertyLines({ properties }: PublishedResult): readonly string[] {
  const lines = Object.entries(properties).map(
    ([name, value]) => `      <property name="${escapeXml(name)}" value="${short(value)}"/>`,
  );
  return ["    <properties>", ...lines, "    </properties>"];
}

function caseLines(one: PublishedCase): readonly string[] {
  const file = one.file === null ? "" : ` file="${short(one.file)}"`;
  const start = `    <testcase classname="${short(one.file ?? one.suite)}" name="${short(one.name)}" time="0"${file}`;
  const element = elements[one.state];
  if (element === null) return [`${start}/>`];
  const [first = ""] = one.message.split("\n");
  const message = cutText(one.state === "skipped" || one.state === "other" ? one.told : first, maxName);
  const open = `      <${element} message="${escapeXml(message)}"`;
  if (element === "skipped") return [`${start}>`, `${open}/>`, "    </testcase>"];
  const text = escapeXmlLines(cutText(one.message, maxMessage));
  return [`${start}>`, `${open} type="${short(one.told)}">${text}</${element}>`, "    </testcase>"];
}

/** A test that was retried or is expected to fail is no pass; JUnit has no other word for it than skipped. */
const elements: Readonly<Record<PublishedCase["state"], "failure" | "error" | "skipped" | null>> = {
  passed: null,
  failed: "failure",
  error: "error",
  pending: "error",
  skipped: "skipped",
  other: "skipped",
};

function counts(cases: readonly PublishedCase[]): string {
  const count = (element: string): number => cases.filter(({ state }) => elements[state] === element).length;
  return `tests="${cases.length}" failures="${count("failure")}" errors="${count("error")}" skipped="${count("skipped")}"`;
}

function short(text: string): string {
  return escapeXml(cutText(text, maxName));
}
