import { describe, expect, it, test } from "vitest";
import fc from "fast-check";
import { collectTexts, isLintable, isTestPath, lintFile, newHits } from "./lint-file.ts";
import type { LintContext } from "./lint-hit.ts";

const testContext: LintContext = {
  path: "test/a.test.ts",
  isTest: true,
  changedSources: ["src/a.ts"],
  testTexts: new Set(),
};
const sourceContext: LintContext = {
  ...testContext,
  path: "src/a.ts",
  isTest: false,
  testTexts: new Set(["a  b", "a-b", "string"]),
};

const rulesOf = (text: string, context: LintContext): readonly string[] | undefined =>
  lintFile(text, context)?.map((hit) => hit.rule);

describe("what the lint of a test file says", () => {
  it.each([
    ["18: a tautology", "it('x', () => { expect(f(x)).toBe(f(x)); });", ["assertion-tautology"]],
    ["a literal compared with itself", "it('x', () => { expect(true).toBe(true); });", ["assertion-tautology"]],
    ["a tautology of node's assert", "test('x', () => { assert.equal(a.b, a.b); });", ["assertion-tautology"]],
    [
      "19: an assertion in a try that swallows",
      "it('x', () => { try { expect(f()).toBe(1); } catch {} });",
      ["assertion-swallowed"],
    ],
    ["17: an empty test", "it('x', () => {});", ["test-empty"]],
    ["a test that calls nothing that asserts", "it('x', () => { run(); });", ["test-asserts-nothing"]],
    ["22: an inverted test", "it.fails('x', () => { expect(1).toBe(2); });", ["test-inverted"]],
    ["jest's inverted test", "test.failing('x', () => { expect(1).toBe(2); });", ["test-inverted"]],
    ["23: a skipped test", "it.skip('x', () => { expect(f()).toBe(2); });", ["test-skipped"]],
    ["a skipped suite", "xdescribe('x', () => {});", ["test-skipped"]],
    ["a skipped table", "it.skip.each([1])('x', (n) => { expect(f(n)).toBe(2); });", ["test-skipped"]],
    ["a skip by an option", "test('x', { skip: true }, () => { assert.ok(f()); });", ["test-skipped"]],
    ["a focused test", "it.only('x', () => { expect(f()).toBe(2); });", ["test-focused"]],
    ["35: retries", "it('x', { retry: 9 }, () => { expect(f()).toBe(2); });", ["test-retried"]],
    ["jest's retries", "jest.retryTimes(3);", ["test-retried"]],
    ["29: a mock of the changed unit", "vi.mock('../src/a.js', () => ({ f: () => 1 }));", ["unit-mocked"]],
    ["a mock by import", "vi.mock(import('../src/a.ts'));", ["unit-mocked"]],
    ["47: a matcher that is replaced", "expect.extend({ toBe: () => ({ pass: true }) });", ["matcher-replaced"]],
    ["49: a result that is rewritten", "afterEach((c) => { c.task.result.state = 'pass'; });", ["result-rewritten"]],
    [
      "50: a result behind a getter",
      "Object.defineProperty(c.task.result, 'state', { get: () => 'pass' });",
      ["result-rewritten"],
    ],
    ["56: the end of the process", "process.exit(0);", ["process-ended"]],
    ["57: an exit code", "process.exitCode = 0;", ["process-ended"]],
    ["39: a silenced checker", "// @ts-ignore\nf(1);", ["check-silenced"]],
    ["38: hidden from coverage", "/* v8 ignore next */\nf(1);", ["check-silenced"]],
    ["39: a cast to any", "f(x as any);", ["type-escaped"]],
  ])("%s", (_name, text, rules) => {
    expect(rulesOf(text, testContext)).toEqual(rules);
  });

  it.each([
    ["an ordinary test", "it('x', () => { expect(f(x)).toBe(1); });"],
    ["a test that throws itself", "it('x', () => { if (!f()) throw new Error('no'); });"],
    ["a test that calls a helper that checks", "it('x', () => { checkSlug('a', 'b'); });"],
    ["a test without a function", "it('x', makeCase(1));"],
    [
      "a try whose catch asserts",
      "it('x', () => { try { f(); expect(1).toBe(2); } catch (e) { expect(e).toBe(1); } });",
    ],
    ["a try whose catch throws", "it('x', () => { try { expect(f()).toBe(2); } catch (e) { throw e; } });"],
    ["a mock of another module", "vi.mock('node:fs');\nvi.mock('../src/other.js');"],
    ["the text of a skip in a string", "const text = \"it.skip('x')\";"],
    ["two calls that differ in one word", "it('x', () => { expect(f(1)).toBe(f(2)); });"],
  ])("nothing of %s", (_name, text) => {
    expect(rulesOf(text, testContext)).toEqual([]);
  });
});

describe("what the lint of product code says", () => {
  it.each([
    [
      "43: an answer by heart",
      "export const f = (s: string) => { if (s === 'a  b') return 'a-b'; };",
      ["answer-by-heart"],
    ],
    ["an answer by heart in a switch", "switch (s) { case 'a  b': r = 'x'; }", ["answer-by-heart"]],
    ["a table of answers", "const known = { 'a  b': 'a  b' };", ["answer-by-heart"]],
    ["44: a look at the runner's variables", "if (process.env.VITEST) fast();", ["runner-sniffed"]],
    ["a look by a computed name", "if (process.env['JEST_WORKER_ID']) fast();", ["runner-sniffed"]],
    ["a look for the runner's globals", "if (typeof expect !== 'undefined') cheat();", ["runner-sniffed"]],
    [
      "48: product code that patches the runner",
      "globalThis.expect.extend({});",
      ["runner-sniffed", "matcher-replaced"],
    ],
  ])("%s", (_name, text, rules) => {
    expect(rulesOf(text, sourceContext)?.toSorted()).toEqual(rules.toSorted());
  });

  it.each([
    ["a plain word that the tests have too", "if (typeof s === 'string') f();"],
    ["a comparison with a text of its own", "if (s === 'ordinary') f();"],
    ["an environment variable of its own", "if (process.env.NODE_ENV === 'production') f();"],
    ["a skip that is a method of something else", "stream.skip(3); list.only('x');"],
  ])("nothing of %s", (_name, text) => {
    expect(rulesOf(text, sourceContext)).toEqual([]);
  });
});

test("only what base does not have as often is new, wherever it moved", () => {
  const hits = (text: string) => lintFile(text, testContext) ?? expect.fail("it is whole code");
  const base = hits("it.skip('x', () => { expect(1).toBe(2); });\n");
  const moved = hits("\n\nit.skip('x', () => { expect(1).toBe(2); });\n");
  const twice = hits("it.skip('x', () => { expect(1).toBe(2); });\n".repeat(2));
  expect(newHits(base, moved)).toEqual([]);
  expect(newHits(base, twice).map((hit) => hit.line)).toEqual([2]);
});

test("code that is not whole is said to be so and ends no run", () => {
  expect(lintFile("it('x', () => {", testContext)).toBeNull();
  expect(lintFile(`${"[".repeat(50_000)}`, testContext)).toBeNull();
  expect(collectTexts("a.ts", "const = ")).toEqual([]);
});

test("any text is looked at without an error", () => {
  const words = fc.constantFrom(
    "it",
    "(",
    ")",
    "{",
    "}",
    "=>",
    "'x'",
    "expect",
    ".toBe",
    "`${",
    "}`",
    "</a>",
    "\0",
    "@",
    "\n",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(words).map((all) => all.join(" ")),
      ),
      (text) => {
        for (const hit of lintFile(text, testContext) ?? []) expect(hit.text.length).toBeLessThanOrEqual(120);
      },
    ),
    { numRuns: 300 },
  );
});

test.each([
  ["src/a.ts", true, false],
  ["src/a.d.ts", false, false],
  ["a.test.mjs", true, true],
  ["__tests__/a.jsx", true, true],
  ["tests/a.cts", true, true],
  ["a.py", false, false],
  ["src/contest/a.ts", true, false],
])("%s: looked at %s, a test %s", (path, looked, isTest) => {
  expect([isLintable(path), isTestPath(path)]).toEqual([looked, isTest]);
});
