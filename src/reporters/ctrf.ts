import type { PublishedCase, PublishedResult, ToolWords } from "./published-result.ts";
import { jsonReport } from "./escape-terminal.ts";
import { cutLines, cutText, visibleText } from "./visible-text.ts";

/** What could not be determined counts as failed: a consumer that knows only these five words must not read it as a pass. */
const statuses: Readonly<Record<PublishedCase["state"], "passed" | "failed" | "skipped" | "pending" | "other">> = {
  passed: "passed",
  failed: "failed",
  error: "failed",
  skipped: "skipped",
  pending: "pending",
  other: "other",
};

/** The Common Test Report Format (JSON): the same cases as in JUnit. Times are milliseconds since 1970, 0 where unknown. */
export function renderCtrf(result: PublishedResult, tool: ToolWords): string {
  const tests = result.cases.map(toTest);
  const count = (status: string): number => tests.filter((one) => one.status === status).length;
  const report = {
    reportFormat: "CTRF",
    specVersion: "0.0.0",
    results: {
      tool: { name: "trueup", version: tool.version },
      summary: {
        tests: tests.length,
        passed: count("passed"),
        failed: count("failed"),
        skipped: count("skipped"),
        pending: count("pending"),
        other: count("other"),
        suites: new Set(result.cases.map(({ suite }) => suite)).size,
        start: result.startedAt,
        stop: result.startedAt + result.durationMs,
        extra: { headline: visibleText(result.headline), ...mapText(result.properties) },
      },
      tests,
    },
  };
  return jsonReport(report);
}

function toTest(one: PublishedCase) {
  return {
    name: text(one.name) || "(no name)",
    status: statuses[one.state],
    duration: 0,
    rawStatus: text(one.told),
    suite: [text(one.suite)],
    ...(one.file === null ? {} : { filePath: text(one.file) }),
    ...(one.message === ""
      ? {}
      : { message: cutLines(one.message, { lines: 50, characters: 500 }).map(visibleText).join("\n") }),
  };
}

function mapText(properties: PublishedResult["properties"]): Record<string, string> {
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, text(value)]));
}

function text(foreign: string): string {
  return visibleText(cutText(foreign, 500));
}
