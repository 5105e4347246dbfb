import fc from "fast-check";
import { SaxesParser } from "saxes";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { makeCase, makeEntry, makeInput, makeRun } from "../../test/fixtures/facts-builders.ts";
import { evaluate } from "../core/gate/index.ts";
import { unreadReport, type JudgedReport } from "../core/test-report/index.ts";
import {
  publishNothing,
  publishTestReport,
  publishVerdict,
  renderReport,
  reportFormats,
  type PublishedResult,
  type Report,
} from "./index.ts";

const tool = { version: "1.2.3" };

function reportOf(overrides: Parameters<typeof makeInput>[0] = {}): Report {
  const input = makeInput(overrides);
  return { verdict: evaluate(input), facts: input.facts, contract: input.contract };
}

const lint = [{ rule: "test-skipped", path: "src/slug.ts", line: 12, text: "it.skip(`${a}`, () => {})" }] as const;
const strayFile = { change: { entries: [makeEntry(), makeEntry({ path: "a b/x#y?.ts" })] } };
const failedRun = makeRun({
  started_at: "2026-01-31T12:00:00.000Z",
  cases: [
    makeCase({ title: "one" }),
    makeCase({ title: "two", state: "failed", errors: ["AssertionError: no\n  at x"] }),
    makeCase({ title: "three", state: "skipped" }),
    makeCase({ title: "four", state: "retried" }),
  ],
  unhandled: ["Error: loose"],
});
const results: readonly (readonly [string, PublishedResult])[] = [
  ["passed", publishVerdict(reportOf())],
  ["blocked", publishVerdict(reportOf(strayFile))],
  ["a failed run", publishVerdict(reportOf({ facts: { runs: [failedRun] } }))],
  ["undetermined", publishVerdict(reportOf({ facts: { undetermined: [{ code: "x", subject: "y", detail: "z" }] } }))],
  ["unchecked", publishVerdict(reportOf({ contract: null, facts: { runs: [] } }))],
  ["warned by the lint", publishVerdict(reportOf({ facts: { lint } }))],
  ["nothing judged", publishNothing("no_change: the agent changed nothing")],
  ["an empty test report", publishTestReport(told(unreadReport("report-empty", "0 bytes")))],
];

function told(judged: JudgedReport): Parameters<typeof publishTestReport>[0] {
  return { file: "report.json", runner: "vitest", exit: { code: 1, error: null, signal: null }, judged };
}

const text = z.string().regex(/^[^\p{Cc}\p{Cs}]*$/u);
/** What of SARIF 2.1.0 is written, closed: a member that the standard does not have is an error. */
const sarif = z.strictObject({
  $schema: z.string(),
  version: z.literal("2.1.0"),
  runs: z.tuple([
    z.strictObject({
      tool: z.strictObject({
        driver: z.strictObject({
          name: text.min(1),
          version: text,
          semanticVersion: text,
          rules: z.array(
            z.strictObject({
              id: text.min(1),
              shortDescription: z.strictObject({ text: text.min(1) }),
              help: z.strictObject({ text: text.min(1) }),
              defaultConfiguration: z.strictObject({ level: z.enum(["error", "warning", "note", "none"]) }),
            }),
          ),
        }),
      }),
      automationDetails: z.strictObject({ id: text }),
      invocations: z.tuple([z.strictObject({ executionSuccessful: z.boolean() })]),
      columnKind: z.enum(["utf16CodeUnits", "unicodeCodePoints"]),
      results: z.array(
        z.strictObject({
          ruleId: text.min(1),
          ruleIndex: z.int().min(0),
          level: z.enum(["error", "warning", "note", "none"]),
          message: z.strictObject({ text: text.min(1) }),
          locations: z.tuple([
            z.strictObject({
              physicalLocation: z.strictObject({
                artifactLocation: z.strictObject({
                  // A relative reference of RFC 3986 whose first segment is no scheme.
                  uri: z.string().regex(/^(?![/])(?![^/]*:)(?:[\w.!~*'()/-]|%[0-9A-F]{2})+$/u),
                  uriBaseId: z.string(),
                }),
                region: z.strictObject({ startLine: z.int().min(1) }).optional(),
              }),
              logicalLocations: z.tuple([z.strictObject({ fullyQualifiedName: text.min(1) })]).optional(),
            }),
          ]),
          partialFingerprints: z.record(text, text),
          properties: z.record(text, text),
        }),
      ),
      properties: z.record(text, text),
    }),
  ]),
});
const count = z.int().min(0);
const ctrf = z.strictObject({
  reportFormat: z.literal("CTRF"),
  specVersion: z.string().regex(/^\d+\.\d+\.\d+$/u),
  results: z.strictObject({
    tool: z.strictObject({ name: text.min(1), version: text }),
    summary: z.strictObject({
      tests: count,
      passed: count,
      failed: count,
      skipped: count,
      pending: count,
      other: count,
      suites: count,
      start: count,
      stop: count,
      extra: z.record(text, text),
    }),
    tests: z.array(
      z.strictObject({
        name: text.min(1),
        status: z.enum(["passed", "failed", "skipped", "pending", "other"]),
        duration: count,
        rawStatus: text,
        suite: z.array(text).min(1),
        filePath: text.optional(),
        message: z.string().optional(),
      }),
    ),
  }),
});

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Every element of a document, by a parser that throws on anything that is not well-formed XML 1.0. */
function elementsOf(xml: string): readonly Element[] {
  const found: Element[] = [];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => found.push({ name, attributes: { ...attributes } }));
  parser.write(xml).close();
  return found;
}

const severe = (elements: readonly Element[]): number =>
  elements.filter(({ name }) => name === "failure" || name === "error").length;

describe("SARIF", () => {
  test.each(results)("%s is a log of the standard, every result with its rule and a place", (_name, result) => {
    const log = sarif.parse(JSON.parse(renderReport("sarif", result, tool)));
    const [run] = log.runs;
    for (const one of run.results) expect(run.tool.driver.rules[one.ruleIndex]?.id).toBe(one.ruleId);
    expect(run.results).toHaveLength(result.findings.length);
  });

  test("a finding about a path has it, encoded; one of the lint has its line", () => {
    const uris = (overrides: Parameters<typeof reportOf>[0]) =>
      sarif
        .parse(JSON.parse(renderReport("sarif", publishVerdict(reportOf(overrides)), tool)))
        .runs[0].results.map(({ ruleId, locations: [{ physicalLocation: at }] }) => [
          ruleId,
          at.artifactLocation.uri,
          at.region?.startLine,
        ]);
    expect(uris(strayFile)).toContainEqual(["outside-scope", "a%20b/x%23y%3F.ts", undefined]);
    expect(uris({ facts: { lint } })).toContainEqual(["lint-test-skipped", "src/slug.ts", 12]);
  });

  test("a message holds no placeholder and no link", () => {
    const result = publishNothing("see [here](1) and {0} and \\");
    const { message } = sarif.parse(JSON.parse(renderReport("sarif", result, tool))).runs[0].results[0] ?? {
      message: { text: "" },
    };
    expect(message.text).toContain("see \\[here\\](1) and {{0}} and \\\\");
  });

  test("an unchecked change is no empty list of results", () => {
    const unchecked = publishVerdict(reportOf({ contract: null, facts: { runs: [] } }));
    expect(sarif.parse(JSON.parse(renderReport("sarif", unchecked, tool))).runs[0].results[0]?.level).toBe("error");
  });
});

describe("JUnit and CTRF", () => {
  test.each(results)("%s: both count what they list, and only a passed verdict has no failure", (_name, result) => {
    const elements = elementsOf(renderReport("junit", result, tool));
    const [root] = elements;
    const cases = elements.filter(({ name }) => name === "testcase");
    expect(Number(root?.attributes["tests"])).toBe(cases.length);
    expect(Number(root?.attributes["failures"]) + Number(root?.attributes["errors"])).toBe(severe(elements));
    expect(severe(elements) === 0).toBe(result.outcome === "passed");
    const { summary, tests } = ctrf.parse(JSON.parse(renderReport("ctrf", result, tool))).results;
    expect(summary.tests).toBe(tests.length);
    expect(summary.passed + summary.failed + summary.skipped + summary.pending + summary.other).toBe(tests.length);
    expect(summary.failed === 0).toBe(result.outcome === "passed");
  });

  test("tests of the head run are listed under their own names and states", () => {
    const result = publishVerdict(reportOf({ facts: { runs: [failedRun] } }));
    const { summary, tests } = ctrf.parse(JSON.parse(renderReport("ctrf", result, tool))).results;
    const ran = tests.filter(({ suite }) => suite[0] === "tests[0]");
    expect(ran.map(({ name, status, rawStatus }) => [name, status, rawStatus])).toEqual([
      ["slugify > one", "passed", "passed"],
      ["slugify > two", "failed", "failed"],
      ["slugify > three", "skipped", "skipped"],
      ["slugify > four", "other", "retried"],
      ["an error outside the tests", "failed", "failed"],
    ]);
    expect(summary.start).toBe(Date.parse("2026-01-31T12:00:00Z"));
  });
});

describe("GitHub", () => {
  test("annotations: one command a finding, with file and line, and the headline last", () => {
    const lines = renderReport("github-annotations", publishVerdict(reportOf({ facts: { lint } })), tool).split("\n");
    expect(lines).toContainEqual(
      expect.stringMatching(/^::warning file=src\/slug\.ts,line=12,title=trueup%3A lint-test-skipped::/u),
    );
    expect(lines.at(-2)).toMatch(/^::notice title=trueup::Acceptance: 6\/6 checks passed/u);
  });

  test("a path cannot end its property, nor a text its command", () => {
    const path = "a,line=9::x%0A\n::stop-commands::y";
    const result = publishVerdict(reportOf({ change: { entries: [makeEntry(), makeEntry({ path })] } }));
    const lines = renderReport("github-annotations", result, tool).trimEnd().split("\n");
    for (const line of lines) expect(line).toMatch(/^::(?:error|warning|notice)(?: [\w]+=[^:,]*(?:,\w+=[^:,]*)*)?::/u);
    expect(lines.find((line) => line.includes("file=a"))).toContain(
      "file=a%2Cline=9%3A%3Ax%250A\\n%3A%3Astop-commands%3A%3Ay,title=",
    );
  });

  test("[G10] the summary holds what the change says of itself against what was measured", () => {
    const claim = { text: "Added 9 tests | all pass", tests_added: 9, tests_passed: null, says_all_pass: true };
    const summary = renderReport("github-summary", publishVerdict(reportOf({ facts: { claim } })), tool);
    expect(summary).toContain("#### Claimed and verified");
    expect(summary).toMatch(/^\| tests added \| 9 \| 1 \| contradicted \|$/mu);
  });

  test("the summary says outcome, checks, findings and what is not proven, within a step's limit", () => {
    const summary = renderReport("github-summary", publishVerdict(reportOf(strayFile)), tool);
    expect(summary).toMatch(/^### Trueup: ⛔ blocked\n\nAcceptance: 4\/6 checks passed, BLOCKED by/u);
    for (const part of ["#### Checks", "`outside-scope`", "Review is still owed"]) expect(summary).toContain(part);
    expect(summary.length).toBeLessThan(1_000_000);
  });
});

/** Texts that act somewhere: terminals, logs, Markdown, XML, and plain chance. */
const hostile = fc.oneof(
  // Facts hold no lone surrogates: they have no canonical form.
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    "\u001b]0;x\u0007",
    "]]>",
    "</testsuites>",
    "::error::x",
    "##[error]x",
    "<!-- @all closes #1 -->",
    "\u202e\ufffe\uffff",
    "a\r\n::set-output name=x::y",
    "`|`",
  ),
);

test("whatever stands in facts, every format stays itself, and nothing in it acts", () => {
  fc.assert(
    fc.property(hostile, hostile, hostile, (path, title, error) => {
      const run = makeRun({ cases: [makeCase({ title, file: path, state: "failed", errors: [error] })] });
      const report = reportOf({ change: { entries: [makeEntry({ path })] }, facts: { runs: [run] } });
      const result = publishVerdict(report);
      const rendered = Object.fromEntries(reportFormats.map((format) => [format, renderReport(format, result, tool)]));
      expect(severe(elementsOf(rendered["junit"] ?? ""))).toBeGreaterThan(0);
      ctrf.parse(JSON.parse(rendered["ctrf"] ?? ""));
      const log = JSON.parse(rendered["sarif"] ?? "") as { runs: { results: unknown[] }[] };
      expect(log.runs[0]?.results).toHaveLength(result.findings.length);
      for (const one of Object.values(rendered)) {
        expect(one).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/u);
        expect(one.isWellFormed()).toBe(true);
      }
      const commands = (rendered["github-annotations"] ?? "").trimEnd().split("\n");
      expect(commands).toHaveLength(result.findings.length + 1);
      for (const line of (rendered["github-summary"] ?? "").split("\n")) expect(line).not.toMatch(/^\s*::|##\[/u);
    }),
    { numRuns: 300 },
  );
});

test("a JSON format on standard output begins no workflow command: no line of it starts with two colons", () => {
  const result = publishNothing("::error::x\n::error::y ##[error]\n##vso[x]");
  for (const format of ["sarif", "ctrf", "junit"] as const)
    for (const line of renderReport(format, result, tool).split("\n")) expect(line).not.toMatch(/^\s*::|##\[/u);
});
