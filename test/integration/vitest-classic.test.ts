import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPipeline, type Files, type Pipeline } from "./pipeline-stage.ts";

const imports = `import { expect, it } from "vitest";\nimport { twice } from "../src/twice.js";\n`;
const kept = `${imports}it("doubles", () => expect(twice(2)).toBe(4));\n`;

/** A little repository with a committed lockfile of an old vitest. */
function repositoryWith(version: string): Files {
  const lock = path.resolve(import.meta.dirname, `../fixtures/locks/vitest-${version}.json`);
  return {
    "package.json": JSON.stringify({ name: "classic", type: "module", devDependencies: { vitest: version } }),
    "package-lock.json": readFileSync(lock),
    "src/twice.js": "export const twice = (n) => n + n;\n",
    "test/twice.test.js": kept,
    // Beside the file that the command names: a match by accident.
    "sub/test/twice.test.js": kept.replace("../src", "../../src"),
    "more/test/twice.test.js": kept.replace("../src", "../../src"),
  };
}

const contract = (passed: number) => ({
  intent: "refactor",
  tests: [{ command: "npx vitest run test/twice.test.js", passed, keep_base: true }],
});

describe.each(["1.6.1", "2.1.9"])("vitest %s, which tells reporters about raw tasks", (version) => {
  let pipeline: Pipeline;
  const deliver = (title: string, text: string, passed: number) =>
    pipeline.deliver({
      title,
      contract: contract(passed),
      steps: [{ write: { path: "test/twice.test.js", text } }, { say: "All tests pass." }],
    });

  beforeAll(() => {
    pipeline = openPipeline(repositoryWith(version));
  });
  afterAll(() => pipeline[Symbol.dispose]());

  test("[E5] an honest change passes, held to the file that it names", async () => {
    const run = await deliver("honest", `${kept}it("adds", () => expect(twice(3)).toBe(6));\n`, 2);
    expect([run.error, run.blocks, run.exit]).toEqual([null, [], 0]);
    expect(run.facts().runs.find((one) => one.purpose === "head")).toMatchObject({
      faults: [],
      runner: { name: "vitest", version },
      second_witness: version.startsWith("1.") ? "absent" : "agrees",
    });
  });

  test("[E14] [E7] skipped, todo, inverted and retried tests and late errors are none of them passes", async () => {
    const text = `${kept}
it.skip("skipped", () => expect(1).toBe(1));
it.todo("todo");
it.fails("inverted", () => expect(1).toBe(2));
let tries = 0;
it("lucky", { retry: 3 }, () => { tries += 1; expect(tries).toBe(2); });
it("late", () => { void Promise.reject(new Error("nobody waits")); expect(1).toBe(1); });
`;
    const run = await deliver("padded", text, 6);
    const head = run.facts().runs.find((one) => one.purpose === "head");
    expect(Object.fromEntries(head?.cases.map((one) => [one.title, one.state]) ?? [])).toEqual({
      doubles: "passed",
      skipped: "skipped",
      todo: "todo",
      inverted: "expected-failure",
      lucky: "retried",
      late: "passed",
    });
    expect(head?.unhandled).toHaveLength(1);
    expect(run.blocks).toEqual(expect.arrayContaining(["passed-count tests[0] head", "unhandled-error tests[0] head"]));
  });

  test("16: a test that ends the process leaves no run that could pass", async () => {
    const run = await deliver("leaves", `${kept}it("leaves", () => process.reallyExit(0));\n`, 2);
    expect([run.exit, run.verdict?.outcome]).toEqual([1, "blocked"]);
  });
});
