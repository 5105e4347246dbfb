import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunFacts } from "../../src/core/facts/index.ts";
import { openToolchainBench, type ToolchainBench } from "./toolchain-bench.ts";
import type { BenchRun } from "./vitest-bench.ts";

const imports = `import { after, describe, it, test } from "node:test";\nimport assert from "node:assert";\n`;
const states = (run: RunFacts): Record<string, string> =>
  Object.fromEntries(run.cases.map((item) => [[...item.suite, item.title].join(" > "), item.state]));

describe("node:test in the clean room", () => {
  let bench: ToolchainBench;
  const facts = async (run: BenchRun): Promise<RunFacts> => (await bench.run(run)).facts;

  beforeAll(async () => {
    bench = await openToolchainBench({ command: "node --test", node: ">=24" });
  });
  afterAll(() => bench.close());

  it("[E5] counts and identities come over the witness's channel, from a repository without dependencies", async () => {
    const helper = `import { test } from "node:test";\nexport const shared = () => test("from a helper", () => {});\n`;
    const a = `${imports}import { shared } from "../helper.mjs";
      describe("outer", () => { it("a", () => assert.ok(1)); describe("inner", () => { it("b", () => assert.ok(1)); }); });
      test("parent", async (t) => { await t.test("child", () => assert.ok(1)); });
      test("same", () => assert.ok(1)); test("same", () => assert.ok(1));
      shared();
      test("sees nothing of the witness", () => {
        assert.deepEqual([process.env.TRUEUP_CHANNEL, process.env.TRUEUP_MARK, process[Symbol.for("trueup.witness.send")]], [undefined, undefined, undefined]);
      });`;
    const b = `${imports}import { shared } from "../helper.mjs";\nshared();\n`;
    const run = await facts({ files: { "helper.mjs": helper, "test/a.test.mjs": a, "test/b.test.mjs": b } });
    expect(run).toMatchObject({ exit: { code: 0, error: null }, faults: [], reason: "passed", unhandled: [] });
    expect(run).toMatchObject({ assertions_required: false, declared_argv: ["node", "--test"] });
    expect(run.second_witness).toBe("agrees");
    expect(run.runner).toEqual({ name: "node-test", version: bench.toolchain.nodeVersion });
    expect(run.cases.map((item) => [item.file, ...item.suite, item.title, item.ordinal].join(" "))).toEqual([
      "test/a.test.mjs outer a 0",
      "test/a.test.mjs outer inner b 0",
      "test/a.test.mjs parent child 0",
      "test/a.test.mjs parent 0",
      "test/a.test.mjs same 0",
      "test/a.test.mjs same 1",
      "test/a.test.mjs from a helper 0",
      "test/a.test.mjs sees nothing of the witness 0",
      "test/b.test.mjs from a helper 0",
    ]);
  });

  it("[E14] skipped, todo and expected failures are none of them passes", async () => {
    const file = `${imports}
      test("plain", () => assert.ok(1));
      test.skip("skipped", () => assert.ok(0));
      test("skips itself", (t) => t.skip("why"));
      test.todo("todo");
      test("todo that fails", { todo: true }, () => assert.ok(0));
      test("inverted", { expectFailure: true }, () => assert.ok(0));`;
    const run = await facts({ files: { "a.test.mjs": file } });
    expect(states(run)).toEqual({
      plain: "passed",
      skipped: "skipped",
      "skips itself": "skipped",
      todo: "todo",
      "todo that fails": "todo",
      inverted: "expected-failure",
    });
    expect(run.faults).toEqual([]);
  });

  it("[E7] a file that ends itself in the middle is not a file that passed", async () => {
    const file = `${imports}test("first", () => assert.ok(1)); test("ends", async () => { await new Promise((done) => setTimeout(done, 50)); process.exit(0); }); test("hidden", () => assert.ok(0));`;
    const run = await facts({
      files: { "a.test.mjs": file, "b.test.mjs": `${imports}test("good", () => assert.ok(1));` },
    });
    expect(run.modules.find((item) => item.file === "a.test.mjs")?.state).toBe("failed");
    expect(run.reason).toBe("failed");
    expect(run.faults.map((fault) => fault.code)).toContain("exit-differs");
  });
});
