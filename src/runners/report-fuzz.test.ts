import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeReport, outcomeOfReport, unreadReport } from "../core/test-report/index.ts";
import { readReport, reportDialects } from "./read-report.ts";

const sample = (file: string): Uint8Array => readFileSync(join(import.meta.dirname, file));

/** The outcome when everything beside the report speaks for a pass: exit 0, and any number of skips allowed. */
function outcomeOf(bytes: Uint8Array, runner: (typeof reportDialects)[number] | null = null): string {
  const reading = readReport(bytes, { runner, root: "/repo" });
  if (reading.kind === "unread") return outcomeOfReport(unreadReport(reading.code, reading.subject).findings);
  const exit = { code: 0, error: null, signal: null };
  const question = { content: reading.content, exit, since: null, writtenAt: 0, allowOther: 1_000_000 };
  return outcomeOfReport(judgeReport(question).findings);
}

const passing = [
  "vitest/samples/v5/01-ok.json",
  "jest/samples/v30/01-ok.json",
  "node-test/samples/v20/01-ok.xml",
  "node-test/samples/v24/01-ok.xml",
  "pytest/samples/v7/01-ok.xml",
  "junit/samples/bun-01-ok.xml",
];
const failing = [
  "vitest/samples/v3/02-one-fail.json",
  "vitest/samples/v5/03-suite-load-error.json",
  "vitest/samples/v5/14-bail.json",
  "vitest/samples/v5/19-beforeAll-fails.json",
  "vitest/samples/v5/28-cfg-forged-reporter.json",
  "jest/samples/v30/02-one-fail.json",
  "jest/samples/v30/03-suite-load-error.json",
  "jest/samples/v30/22-coverage-threshold.json",
  "jest/samples/v30/28-testResultsProcessor.json",
  "node-test/samples/v20/02-fail.xml",
  "node-test/samples/v22/03-load-error.xml",
  "node-test/samples/v24/19-before-fails.xml",
  "pytest/samples/v7/02-fail.xml",
  "pytest/samples/v7/03b-load-error-continue.xml",
  "pytest/samples/v7/16c-pytest-exit0.xml",
  "pytest/samples/v7/19-fixture-setup.xml",
  "junit/samples/bun-02-fail.xml",
  "junit/samples/vitest-05.xml",
].map((file) => [file, sample(file)] as const);

/** The sample without `length` bytes from `start` on. */
function without(bytes: Uint8Array, start: number, length: number): Uint8Array {
  return Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + length)]);
}

describe("reports that lost bytes", () => {
  it.each(passing)("[E7] %s passes whole, and cut after any byte it does not", (file) => {
    const bytes = sample(file);
    expect(outcomeOf(bytes)).toBe("passed");
    const end = Buffer.from(bytes).toString().trimEnd().length;
    for (let length = 0; length < end; length += 1) {
      expect(outcomeOf(bytes.subarray(0, length)), `cut after ${length}`).not.toBe("passed");
    }
  });

  it.each(failing)("[E7] %s without any one byte does not become a pass", (_file, bytes) => {
    for (let start = 0; start < bytes.length; start += 1 + Math.floor(bytes.length / 400)) {
      expect(outcomeOf(without(bytes, start, 1)), `without byte ${start}`).not.toBe("passed");
    }
  });

  it("[E7] a failing report without any run of bytes does not become a pass", () => {
    fc.assert(
      fc.property(fc.constantFrom(...failing), fc.nat(100_000), fc.nat(3000), ([, bytes], start, length) => {
        expect(outcomeOf(without(bytes, start % bytes.length, length + 1))).not.toBe("passed");
      }),
      { numRuns: 1000 },
    );
  });

  it("[E7] two failing reports in one file, or a failing one behind a passing one, do not become a pass", () => {
    fc.assert(
      fc.property(fc.constantFrom(...passing), fc.constantFrom(...failing), fc.boolean(), (good, [, bad], first) => {
        const parts = first ? [sample(good), bad] : [bad, sample(good)];
        expect(outcomeOf(Buffer.concat(parts))).not.toBe("passed");
      }),
      { numRuns: 300 },
    );
  });
});

describe("what is no report", () => {
  const dialect = fc.constantFrom(null, ...reportDialects);
  const never = (bytes: Uint8Array, runner: (typeof reportDialects)[number] | null): void => {
    expect(outcomeOf(bytes, runner)).not.toBe("passed");
  };
  const words = fc.constantFrom(
    "<testsuites>",
    "<testsuite name='pytest' tests='1' failures='0'>",
    "<testcase name='a' classname='test'/>",
    "<failure>",
    "</failure>",
    "</testsuite>",
    "</testsuites>",
    "<!-- tests 1 -->",
    "<!-- pass 1 -->",
    "<![CDATA[",
    "]]>",
    "&lt;",
    "&x;",
    "<!DOCTYPE a>",
    "<?pi ?>",
    "\u0000",
    "text",
  );

  it("random bytes never pass, whatever they are read as", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), dialect, never));
  });

  it("random JSON never passes", () => {
    fc.assert(fc.property(fc.json({ maxDepth: 5 }), dialect, (text, runner) => never(Buffer.from(text), runner)));
  });

  it("random pieces of XML that carry a failure or no end never pass, and never throw", () => {
    fc.assert(
      fc.property(fc.array(words, { maxLength: 14 }), dialect, (parts, runner) => {
        never(Buffer.from(`<testsuites><failure/>${parts.join("")}`), runner);
      }),
    );
  });
});

describe("hostile forms", () => {
  const suite = (cases: string, attributes = 'tests="1" failures="0" errors="0" skipped="0"'): Buffer =>
    Buffer.from(`<testsuites><testsuite name="pytest" ${attributes}>${cases}</testsuite></testsuites>`);
  const whole = '<testcase classname="a" name="b" time="0"/>';
  const json = Buffer.from(sample("jest/samples/v30/01-ok.json")).toString();
  const entities = `<!ENTITY a "aaaaaaaaaa">${Array.from("bcdefghi")
    .map((name, index) => `<!ENTITY ${name} "${`&${"abcdefghi"[index]};`.repeat(10)}">`)
    .join("")}`;

  it("the plain form of the XML below passes, so that each defect alone is what stops it", () => {
    expect(outcomeOf(suite(whole))).toBe("passed");
  });

  it.each<[string, Uint8Array]>([
    ["0 bytes", Buffer.alloc(0)],
    ["white space", Buffer.from(" \n\t")],
    ["a DOCTYPE", Buffer.concat([Buffer.from("<!DOCTYPE testsuites>"), suite(whole)])],
    ["entities that grow", Buffer.concat([Buffer.from(`<!DOCTYPE t [${entities}]>`), suite("&i;")])],
    [
      "an outer entity",
      Buffer.concat([Buffer.from('<!DOCTYPE t [<!ENTITY x SYSTEM "file:///etc/passwd">]>'), suite("&x;")]),
    ],
    ["an entity nobody declared", suite(`${whole}&nbsp;`)],
    ["10,000 levels of XML", Buffer.from("<testsuite>".repeat(10_000) + "</testsuite>".repeat(10_000))],
    [
      "10,000 levels of JSON",
      Buffer.from(json.replace('"openHandles":[]', `"openHandles":${"[".repeat(10_000)}${"]".repeat(10_000)}`)),
    ],
    ["two roots", Buffer.concat([suite(whole), suite(whole)])],
    ["text behind the end", Buffer.concat([suite(whole), Buffer.from("x")])],
    ["a repeated attribute", suite('<testcase classname="a" name="b" name="c"/>')],
    ["a byte order mark before XML", Buffer.concat([Buffer.from("\uFEFF"), suite(whole)])],
    ["a byte order mark before JSON", Buffer.from(`\uFEFF${json}`)],
    ["UTF-16", Buffer.from(json, "utf16le")],
    ["UTF-16 with a mark", Buffer.from(`\uFEFF${json}`, "utf16le")],
    [
      "a declared encoding that is not UTF-8",
      Buffer.concat([Buffer.from('<?xml version="1.0" encoding="latin1"?>'), suite(whole)]),
    ],
    ["a byte that is no UTF-8", Buffer.from(json.replace('"title":"a"', '"title":"\xff"'), "latin1")],
    ["NaN as a count", suite(whole, 'tests="NaN" failures="0" errors="0" skipped="0"')],
    ["NaN as a duration", suite(whole.replace('time="0"', 'time="NaN"'))],
    ["a negative duration in XML", suite(whole.replace('time="0"', 'time="-1"'))],
    ["a negative duration in JSON", Buffer.from(json.replace('"duration":17', '"duration":-17'))],
    ["NaN in JSON", Buffer.from(json.replace('"duration":17', '"duration":NaN'))],
    ["an infinite number in JSON", Buffer.from(json.replace('"duration":17', '"duration":1e999'))],
    [
      "a start that no calendar has",
      Buffer.from(json.replace(/"startTime":\d+,"success"/u, '"startTime":1e300,"success"')),
    ],
    ["a negative count", Buffer.from(json.replace('"numFailedTests":0', '"numFailedTests":-1'))],
    ["a repeated key", Buffer.from(json.replace('"numFailedTests":0', '"numFailedTests":1,"numFailedTests":0'))],
    [
      "a repeated key in other letters",
      Buffer.from(json.replace('"numFailedTests":0', String.raw`"numFailed\u0054ests":1,"numFailedTests":0`)),
    ],
    ["__proto__", Buffer.from(json.replace('"success":true', '"__proto__":{"success":true}'))],
    ["__proto__ beside", Buffer.from(json.replace('"success":true', '"success":true,"__proto__":{"status":"passed"}'))],
    [
      "a negative failure hidden in the header",
      suite(`${whole}<testcase name="c"><failure/></testcase>`, 'tests="2" failures="0" errors="0" skipped="0"'),
    ],
    ["an element that the format does not have", suite('<testcase classname="a" name="b"><failed/></testcase>')],
    ["a failure outside every case", suite(`${whole}<failure message="x"/>`)],
    [
      "pytest's suite beside another runner's",
      Buffer.from(
        suite(whole)
          .toString()
          .replace(
            "</testsuites>",
            '<testsuite name="a.test.js" tests="1" failures="0"><testcase name="x"/></testsuite></testsuites>',
          ),
      ),
    ],
    [
      "node's counts in vitest's file",
      Buffer.from(
        '<testsuites name="vitest tests"><testsuite name="a" tests="1" failures="0"><testcase name="x"/></testsuite><!-- tests 1 --></testsuites>',
      ),
    ],
  ])("[E7] %s is no pass", (_name, bytes) => {
    expect(outcomeOf(bytes)).not.toBe("passed");
  });

  it("entities are never expanded and control codes of names never reach the parser", () => {
    const reading = readReport(suite('<testcase classname="a" name="\u0000\u001b[31mred&lt;"/>'), {
      runner: null,
      root: "/",
    });
    expect(reading).toMatchObject({ kind: "read", content: { cases: [{ title: "\ufffd\ufffd[31mred<" }] } });
  });

  it("a name with newlines or of 1 MB is kept whole", () => {
    const long = "x".repeat(1 << 20);
    const named = suite(`<testcase classname="a" name="a&#10;${long}"/>`);
    expect(readReport(named, { runner: null, root: "/" })).toMatchObject({
      kind: "read",
      content: { cases: [{ title: `a\n${long}` }] },
    });
  });
});
