import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jestManifests } from "./jest-bench.ts";
import { openPipeline, type Pipeline, type Step } from "./pipeline-stage.ts";

const imports = `const { twice } = require("../src/twice.js");\n`;
const kept = `${imports}test("doubles", () => { expect(twice(2)).toBe(4); });\n`;
const base = {
  ...jestManifests("30.5.2"),
  "jest.config.js": `module.exports = { setupFiles: ["./test/set-up.js"] };\n`,
  "test/set-up.js": `require("./deep.js");\n`,
  "test/deep.js": "",
  "src/twice.js": "module.exports = { twice: (n) => n + n };\n",
  "test/twice.test.js": kept,
  "sub/test/twice.test.js": kept.replace("../src", "../../src"),
};
const thrice: Step = {
  write: { path: "src/twice.js", text: "module.exports = { twice: (n) => n + n, thrice: (n) => 3 * n };\n" },
};
const testOf = (text: string): Step => ({ write: { path: "test/twice.test.js", text } });
const added = `${kept.replace("{ twice }", "{ thrice, twice }")}test("triples", () => { expect(thrice(2)).toBe(6); });\n`;

describe("a change to a repository with jest", () => {
  let pipeline: Pipeline;
  const deliver = (title: string, passed: number, ...steps: readonly Step[]) =>
    pipeline.deliver({
      title,
      contract: { tests: [{ command: "npx jest test/twice.test.js", passed, keep_base: true }] },
      steps: [...steps, { say: "All tests pass." }],
    });

  beforeAll(() => {
    pipeline = openPipeline(base);
  });
  afterAll(() => pipeline[Symbol.dispose]());

  test("[E5] an honest one passes, held to the file that it names, with both witnesses", async () => {
    const run = await deliver("honest", 2, thrice, testOf(added));
    expect([run.error, run.blocks, run.exit]).toEqual([null, [], 0]);
    expect(run.verdict?.grade.value).toBe("A");
    const head = run.facts().runs.find((one) => one.purpose === "head");
    expect(head).toMatchObject({
      faults: [],
      runner: { name: "jest", version: "30.5.2" },
      second_witness: "agrees",
      assertions_required: true,
    });
    expect(head?.modules.map((module) => module.file)).toEqual(["test/twice.test.js"]);
  });

  test.each<[string, number, readonly Step[], string]>([
    ["an untested claim", 2, [thrice], "passed-count"],
    [
      "a test that asserts nothing",
      2,
      [thrice, testOf(`${kept}test("triples", () => {});\n`)],
      "test-not-plainly-passed",
    ],
    [
      "a test written to fail",
      2,
      [testOf(`${kept}test.failing("inverted", () => { expect(1).toBe(2); });\n`)],
      "passed-count",
    ],
    [
      "a retried test",
      2,
      [testOf(`${kept}jest.retryTimes(2); let n = 0; test("lucky", () => { n += 1; expect(n).toBe(2); });\n`)],
      "passed-count",
    ],
    [
      "a test skipped and two added for it",
      2,
      [
        testOf(
          `${kept.replace('test("doubles"', 'test.skip("doubles"')}${"ab".replace(/./gu, (name) => `test("${name}", () => { expect(1).toBe(1); });\n`)}`,
        ),
      ],
      "test-removed",
    ],
    [
      "a test left alone by .only",
      1,
      [testOf(`${kept}test.only("alone", () => { expect(1).toBe(1); });\n`)],
      "test-removed",
    ],
    [
      "a test that ends its process",
      2,
      [testOf(`${kept}test("leaves", () => { process.reallyExit(0); });\n`)],
      "module-failed",
    ],
    [
      "a late error",
      2,
      [
        testOf(
          `${kept}test("late", () => { expect(1).toBe(1); setTimeout(() => { throw new Error("late"); }, 0); });\n`,
        ),
      ],
      "unhandled-error",
    ],
    [
      "a file that an unchanged set-up file requires",
      1,
      [{ write: { path: "test/deep.js", text: "expect.extend({ toBe: () => ({ pass: true }) });\n" } }],
      "trust-root-changed",
    ],
    [
      "a configuration that replaces results",
      1,
      [{ write: { path: "jest.config.js", text: `module.exports = { testResultsProcessor: "./p.js" };\n` } }],
      "trust-root-changed",
    ],
  ])("[E14] %s is blocked", async (title, passed, steps, code) => {
    const run = await deliver(title, passed, ...steps);
    expect([run.exit, run.verdict?.outcome]).toEqual([1, "blocked"]);
    expect(run.blocks.map((one) => one.split(" ")[0])).toContain(code);
  });
});
