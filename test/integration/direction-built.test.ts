import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPipeline, type Delivered, type Files, type Pipeline, type Step } from "./pipeline-stage.ts";

/** A repository whose tests are built before they run: what runs is in no tree. */
const built: Files = {
  ".gitignore": "dist/\n",
  "build.mjs": `import { cpSync } from "node:fs";\nfor (const part of ["src", "test"]) cpSync(part, "dist/" + part, { recursive: true });\n`,
  "src/twice.mjs": "export const twice = (n) => n * n;\n",
  "test/twice.test.mjs": `import assert from "node:assert";
import { test } from "node:test";
import { twice } from "../src/twice.mjs";
test("doubles two", () => assert.equal(twice(2), 4));
`,
};
const contract = {
  prepare: [{ command: "node build.mjs" }],
  tests: [{ command: "node --test dist/test/twice.test.mjs", passed: 2 }],
};
const mend: Step = { write: { path: "src/twice.mjs", text: "export const twice = (n) => n + n;\n" } };
const more = (body: string): Step => ({
  edit: {
    path: "test/twice.test.mjs",
    find: `test("doubles two"`,
    replace: `test("doubles three", () => ${body});\ntest("doubles two"`,
  },
});

describe("tests that are built before they run", () => {
  let pipeline: Pipeline;
  const deliver = (title: string, ...steps: readonly Step[]): Promise<Delivered> =>
    pipeline.deliver({ title, contract, steps: [...steps, { say: "All tests pass." }] });

  beforeAll(() => {
    pipeline = openPipeline(built);
  });
  afterAll(() => pipeline[Symbol.dispose]());

  test("[E16] an honest new test fails when head's tests are built with base's sources", async () => {
    const run = await deliver("honest", mend, more("assert.equal(twice(3), 6)"));
    expect([run.error, run.blocks, run.exit]).toEqual([null, [], 0]);
    expect(
      run
        .facts()
        .direction?.[0]?.head_on_base?.cases.map((one) => [one.title, one.state])
        .toSorted(),
    ).toEqual([
      ["doubles three", "failed"],
      ["doubles two", "passed"],
    ]);
  });

  test("[E16] 17: an emptied one passes there too: it is green on base, whatever it is called", async () => {
    const run = await deliver("emptied", mend, more("{}"));
    expect([run.exit, run.blocks]).toEqual([1, ["green-on-base tests[0]"]]);
  });
});
