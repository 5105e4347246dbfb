import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunFacts } from "../../src/core/facts/index.ts";
import { openVitestBench, type BenchRun, type VitestBench } from "./vitest-bench.ts";

const imports = `import { afterAll, describe, expect, it } from "vitest";\n`;
const passing = `${imports}it("adds", () => expect(1 + 1).toBe(2));\n`;

/** Plain passes, as the gate counts them. */
const passed = (facts: RunFacts): number => facts.cases.filter((item) => item.state === "passed").length;
const states = (facts: RunFacts): Record<string, string> =>
  Object.fromEntries(facts.cases.map((item) => [[...item.suite, item.title].join(" > "), item.state]));

describe("vitest in the clean room", () => {
  let bench: VitestBench;
  const facts = async (run: BenchRun): Promise<RunFacts> => (await bench.run(run)).facts;

  beforeAll(async () => {
    bench = await openVitestBench();
  });
  afterAll(() => bench.close());

  it("[E5] counts and identities come over the witness's channel, and vitest's own report agrees", async () => {
    const cases = `${imports}
      describe("outer", () => { it("a", () => expect(1).toBe(1)); describe("inner", () => it("b", () => expect(1).toBe(1))); });
      it("same", () => expect(1).toBe(1));
      it("same", () => expect(1).toBe(1));
      console.log("CHANNEL=" + process.env.TRUEUP_CHANNEL + process[Symbol.for("trueup.witness.send")]);`;
    const run = await facts({
      files: { "web/tests/a.test.ts": cases },
      entry: { cwd: "web", command: "npx vitest run tests/a.test.ts" },
    });
    expect(run).toMatchObject({
      exit: { code: 0, error: null },
      faults: [],
      reason: "passed",
      second_witness: "agrees",
    });
    expect(run).toMatchObject({
      cwd: "web",
      declared_argv: ["npx", "vitest", "run", "tests/a.test.ts"],
      assertions_required: true,
    });
    expect(run.cases.map((item) => [item.file, ...item.suite, item.title, item.ordinal].join(" "))).toEqual([
      "web/tests/a.test.ts outer a 0",
      "web/tests/a.test.ts outer inner b 0",
      "web/tests/a.test.ts same 0",
      "web/tests/a.test.ts same 1",
    ]);
    expect(run.stdout.head).toContain("CHANNEL=undefinedundefined");
  });

  it("[E14] skipped, todo, expected failures, retries and empty tests are none of them passes", async () => {
    const test = `${imports}
      let tries = 0;
      it("plain", () => expect(1).toBe(1));
      it.skip("skipped", () => expect(1).toBe(1));
      it.todo("todo");
      it.fails("inverted", () => expect(1).toBe(2));
      it("lucky", { retry: 3 }, () => { tries += 1; expect(tries).toBe(2); });
      it("empty", () => {});`;
    const run = await facts({ files: { "a.test.ts": test } });
    expect(states(run)).toEqual({
      plain: "passed",
      skipped: "skipped",
      todo: "todo",
      inverted: "expected-failure",
      lucky: "retried",
      empty: "failed",
    });
    expect(passed(run)).toBe(1);
    expect(run.faults).toEqual([]);
  });

  it("[E14] .only left in fails the run instead of hiding its neighbours", async () => {
    const run = await facts({
      files: { "a.test.ts": `${imports}it.only("x", () => expect(1).toBe(1)); it("y", () => expect(1).toBe(2));` },
    });
    expect(run.exit.code).toBe(1);
    expect(run.reason).toBe("failed");
  });

  it("[E6] a printed summary and a printed report are ignored", async () => {
    const report = { numTotalTests: 17, numPassedTests: 17, numFailedTests: 0, success: true, testResults: [] };
    const lies = `console.log(" Test Files  1 passed (1)\\n      Tests  17 passed (17)");\nconsole.log(${JSON.stringify(JSON.stringify(report))});`;
    const run = await facts({ files: { "a.test.ts": `${passing}${lies}` } });
    expect(run.stdout.head).toContain("17 passed");
    expect(passed(run)).toBe(1);
    expect(run.faults).toEqual([]);
  });

  it.each<[string, BenchRun, Partial<RunFacts>, string[]]>([
    [
      "a failing test",
      { files: { "a.test.ts": `${passing}it("no", () => expect(1).toBe(2));` } },
      { reason: "failed" },
      [],
    ],
    [
      "a file that does not load beside a green one",
      { files: { "a.test.ts": passing, "b.test.ts": `import "./gone.ts";` } },
      { reason: "failed" },
      [],
    ],
    [
      "an unhandled rejection after green tests",
      { files: { "a.test.ts": `${passing}Promise.reject(new Error("late"));` } },
      {},
      [],
    ],
    [
      "a hook that fails after green tests",
      { files: { "a.test.ts": `${passing}afterAll(() => { throw new Error("hook"); });` } },
      { reason: "failed" },
      [],
    ],
    [
      "a global teardown that fails after a green run",
      {
        files: {
          "a.test.ts": passing,
          "vitest.config.ts": `export default { test: { globalSetup: "./g.ts" } };`,
          "g.ts": `export default () => () => { throw new Error("down"); };`,
        },
      },
      { reason: "passed" },
      ["exit-differs"],
    ],
    [
      "no test at all, although the config lets that pass",
      {
        files: { "a.ts": "", "vitest.config.ts": `export default { test: { passWithNoTests: true } };` },
      },
      { cases: [] },
      [],
    ],
    [
      "an argument that matches nothing in that package",
      { files: { "web/a.test.ts": passing, "b.txt": "" }, entry: { command: "vitest run web/a.test.ts", cwd: "web" } },
      { cases: [], cwd: "web" },
      [],
    ],
  ])("[E7] %s does not end with 0", async (_name, run, expected, faults) => {
    const result = await facts(run);
    expect(result.exit.code).toBe(1);
    expect(result).toMatchObject(expected);
    expect(result.faults.map((fault) => fault.code)).toEqual(faults);
  });

  it("[E7] more tests than were asked for are counted, not capped", async () => {
    const run = await facts({
      files: { "a.test.ts": `${passing}it.each([1, 2, 3])("pad %i", () => expect(1).toBe(1));` },
    });
    expect(passed(run)).toBe(4);
  });

  it("[E7] a run cut by its time limit has no exit code", async () => {
    const run = await facts({
      files: { "a.test.ts": `${passing}it("spins", () => { for (;;); });` },
      entry: { timeout_seconds: 5 },
    });
    expect(run.exit).toMatchObject({ code: null, error: "timeout" });
    expect(run.faults).not.toEqual([]);
  });

  it("a name filter runs what it names", async () => {
    const run = await facts({
      files: { "a.test.ts": `${passing}it("other", () => expect(1).toBe(2));` },
      entry: { command: "vitest run -t adds a.test.ts" },
    });
    expect(run.exit.code).toBe(0);
    expect(states(run)).toEqual({ adds: "passed", other: "skipped" });
  });

  it("a file argument is held to that file, although it also matches another by its name", async () => {
    const files = { "a.test.ts": passing, "sub/a.test.ts": passing, "sub/[id]/a.test.ts": passing };
    const run = await facts({ files, entry: { command: "vitest run a.test.ts" } });
    expect(run.cases.map((item) => item.file)).toEqual(["a.test.ts"]);
    expect(run.faults).toEqual([]);
  });

  it("a file argument is a fault where the configuration makes it mean another file", async () => {
    const config = `export default { test: { root: "./x" } };`;
    const files = { "a.test.ts": passing, "x/a.test.ts": passing, "vitest.config.ts": config };
    const run = await facts({ files, entry: { command: "vitest run a.test.ts" } });
    expect(run.faults.map((fault) => fault.code)).toEqual(["lists-differ"]);
    expect(run.faults[0]?.detail).toContain("x/a.test.ts");
  });

  it("a script of the manifest comes down to its runner, and a compound one is refused", async () => {
    const manifest = (test: string): string => JSON.stringify({ type: "module", scripts: { test } });
    const run = await facts({
      files: { "package.json": manifest("vitest run --coverage=false"), "a.test.ts": passing },
      entry: { command: "npm test" },
    });
    expect(passed(run)).toBe(1);
    const compound = bench.run({
      files: { "package.json": manifest("vitest run && true"), "a.test.ts": passing },
      entry: { command: "npm test" },
    });
    await expect(compound).rejects.toMatchObject({ code: "contract-invalid" });
  });

  it("a runner that is not installed, or not known, is an error before anything runs", async () => {
    const run = (command: string): Promise<unknown> =>
      bench.run({ files: { "a.test.ts": passing }, entry: { command } });
    await expect(run("npx mocha")).rejects.toMatchObject({ code: "runner-unknown" });
    await expect(run("npx vitest run --reporter=json")).rejects.toMatchObject({ code: "contract-invalid" });
  });

  it("threads, one process for all and caches in the configuration are overruled", async () => {
    const config = `export default { test: { pool: "threads", isolate: false, retry: 3, bail: 1, projects: [
      { extends: true, test: { name: "one", pool: "vmThreads" } }, { extends: true, test: { name: "two", isolate: false } }] } };`;
    const run = await facts({ files: { "a.test.ts": passing, "vitest.config.ts": config }, assertionsRequired: false });
    expect(run.cases.map((item) => item.project).toSorted()).toEqual(["one", "two"]);
    expect(run.faults).toEqual([]);
  });
});
