import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addTests, canary, canaryContract, honestTest, mend } from "./pipeline-canary.ts";
import { openPipeline, type Pipeline, type Step } from "./pipeline-stage.ts";

/** A change of the source that mends nothing. */
const noMend: Step = {
  edit: { path: "src/slugify.ts", find: '.replace(/\\s/g, "-")', replace: '.replace(/\\s/gu, "-")' },
};
const edit = (find: string, replace: string): Step => ({ edit: { path: "test/slugify.test.ts", find, replace } });
const entry = { command: "npx vitest run", keep_base: true };

describe("changed tests over the other side's sources", () => {
  let pipeline: Pipeline;

  beforeAll(() => {
    pipeline = openPipeline({ ...canary, "test/shared.ts": `export const wanted = "hello";\n` });
  });
  afterAll(() => pipeline[Symbol.dispose]());

  test("[E16] an honest mend: its test is red on base by an assertion, and base's copies still hold", async () => {
    const run = await pipeline.deliver({ contract: canaryContract, steps: [mend, honestTest] });
    expect([run.error, run.exit, run.blocks]).toEqual([null, 0, []]);
    const [measured] = run.facts().direction ?? [];
    expect(measured?.head_files).toEqual([{ file: "test/slugify.test.ts", reaches: ["src/slugify.ts"] }]);
    const { base_tree: base, tree } = run.facts().change;
    expect([base, tree]).not.toContain(measured?.head_on_base?.tree);
    expect([base, tree]).not.toContain(measured?.base_on_head?.tree);
    expect(run.artifact("report.md")).toContain(
      "1 of 1 new tests fail on base (1 by assertion); of base's copies of changed tests 3 of 3 still hold",
    );
  });

  test("[E16] 18, 19, 21, 29: tests that pass whatever the source does are green on base", async () => {
    const hollow = `
  it("is the same", () => {
    expect(slugify("a  b")).toBe(slugify("a  b"));
  });

  it("swallows", () => {
    expect(1).toBe(1);
    try {
      expect(slugify("a  b")).toBe("a-b");
    } catch {}
  });

  it("leaves early", () => {
    expect(slugify("a")).toBe("a");
    if (slugify("a  b") !== "a-b") return;
    expect(slugify("a  b")).toBe("a-b");
  });
`;
    const mocked = `import { expect, it, vi } from "vitest";\nimport { slugify } from "../src/slugify.js";\nvi.mock("../src/slugify.js", () => ({ slugify: () => "a-b" }));\nit("mocks", () => expect(slugify("a  b")).toBe("a-b"));\n`;
    const run = await pipeline.deliver({
      contract: { tests: [{ ...entry, added: 4 }] },
      steps: [noMend, addTests(hollow), { write: { path: "test/mocked.test.ts", text: mocked } }],
    });
    expect([run.error, run.exit, run.blocks]).toEqual([null, 1, ["green-on-base tests[0]"]]);
    const detail = run.verdict?.findings.find((one) => one.code === "green-on-base")?.detail ?? "";
    for (const title of ["is the same", "swallows", "leaves early", "mocks"]) expect(detail).toContain(title);
  });

  test("[E17] 31, 32: an expectation rewritten to the bug is found by base's copy of the test; `may_update` opens it", async () => {
    const steps = [
      { edit: { path: "src/slugify.ts", find: ".toLowerCase()", replace: "" } },
      edit('expect(slugify("Hello")).toBe("hello")', 'expect(slugify("Hello")).toBe("ello")'),
      edit('expect(slugify("What, now?")).toBe("what-now")', 'expect(slugify("What, now?")).toBe("hat-now")'),
    ] as const;
    const run = await pipeline.deliver({ contract: { intent: "refactor", tests: [entry] }, steps });
    expect([run.error, run.exit]).toEqual([null, 1]);
    expect(run.blocks).toContain("expectation-changed test/slugify.test.ts > slugify > lowers the case");
    const opened = { ...entry, may_update: ["test/slugify.test.ts"] };
    const open = await pipeline.deliver({ contract: { intent: "refactor", tests: [opened] }, steps });
    expect([open.error, open.exit, open.blocks]).toEqual([null, 0, []]);
  });
});

describe("a test that rewrites the source it tests", () => {
  test("[E15] 80: and puts it back before it ends is seen all the same", async () => {
    using pipeline = openPipeline(canary);
    const source = 'export const slugify = () => "a-b";\n';
    const text = `import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
it("collapses spaces", async () => {
  const kept = readFileSync("src/slugify.ts");
  writeFileSync("src/slugify.ts", ${JSON.stringify(source)});
  const { slugify } = await import("../src/slugify.js");
  writeFileSync("src/slugify.ts", kept);
  expect(slugify("a  b")).toBe("a-b");
});
`;
    const run = await pipeline.deliver({
      contract: { tests: [{ command: "npx vitest run", added: 1 }] },
      steps: [{ write: { path: "test/rewrite.test.ts", text } }],
    });
    expect([run.error, run.exit]).toEqual([null, 1]);
    expect(run.blocks).toContain("tree-written src/slugify.ts");
    const head = run.facts().runs.find((one) => one.purpose === "head");
    expect([head?.tree_written, head?.tree_put_back]).toEqual([undefined, ["src/slugify.ts"]]);
  });
});
