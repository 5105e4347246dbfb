import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunFacts } from "../../src/core/facts/index.ts";
import { witnessMount } from "../../src/app/gather/prepare-launch.ts";
import { openJestBench, type JestBench } from "./jest-bench.ts";
import type { BenchRun } from "./vitest-bench.ts";

type Files = BenchRun["files"];

const good = `test("good", () => { expect(1).toBe(1); });\n`;
/** The failure every attack here wants to hide. */
const hidden = `\ntest("hidden", () => { expect(1).toBe(2); });\n`;
const target = "/opt/trueup/report.json";
const report = JSON.stringify({
  numTotalTests: 1,
  numPassedTests: 1,
  numFailedTests: 0,
  success: true,
  testResults: [
    {
      name: "/repo/a.test.js",
      status: "passed",
      assertionResults: [{ ancestorTitles: [], title: "hidden", status: "passed" }],
    },
  ],
});
const imports = `const fs = require("node:fs"); const net = require("node:net"); const { spawn, spawnSync } = require("node:child_process");\n`;
/** Evidence that would pass: no fault, exit 0, ended as passed, every file and every test passed. */
const isBelieved = (run: RunFacts): boolean =>
  run.faults.length === 0 &&
  run.exit.code === 0 &&
  run.reason === "passed" &&
  run.unhandled.length === 0 &&
  run.modules.every((module) => module.state === "passed") &&
  run.cases.length > 0 &&
  run.cases.every((item) => item.state === "passed" && item.errors.length === 0);
const statesOf = (run: RunFacts): Record<string, string> =>
  Object.fromEntries(run.cases.map((item) => [item.title, item.state]));

describe.each(["29.7.0", "30.5.2"])("jest %s", (version) => {
  let bench: JestBench;
  const facts = async (run: BenchRun): Promise<RunFacts> => (await bench.run(run)).facts;

  beforeAll(async () => {
    bench = await openJestBench(version);
  });
  afterAll(() => bench.close());

  it("[E5] an honest run is believed, in a process of its own, by both witnesses", async () => {
    const run = await facts({ files: { "a.test.js": good, "sub/b.test.js": good } });
    expect(isBelieved(run)).toBe(true);
    expect(run).toMatchObject({
      second_witness: "agrees",
      assertions_required: true,
      runner: { name: "jest", version },
    });
  });

  it("exact files run by their path, a pattern for names selects, and projects have names of their own", async () => {
    const files = { "a.test.js": good + hidden, "sub/a.test.js": good, "axtest.js.test.js": good };
    const named = await facts({ files, entry: { command: "npx jest a.test.js -t good" } });
    expect([named.exit.code, named.faults, named.modules.map((module) => module.file)]).toEqual([0, [], ["a.test.js"]]);
    expect(statesOf(named)).toEqual({ good: "passed", hidden: "skipped" });
    const projects = `module.exports = { projects: ["<rootDir>/p", { displayName: "named", rootDir: "<rootDir>/q" }] };`;
    const config = { "jest.config.js": projects, "p/package.json": "{}", "p/a.test.js": good, "q/a.test.js": good };
    const several = await facts({ files: config });
    expect(several.faults).toEqual([]);
    expect(several.cases.map((item) => `${item.project} ${item.file}`).toSorted()).toEqual([
      "named q/a.test.js",
      "p p/a.test.js",
    ]);
  });

  it("[E14] [E7] skipped, todo, inverted, retried and empty tests are none of them passes", async () => {
    const text = `${good}
test.skip("skipped", () => { expect(1).toBe(1); });
test.todo("todo");
test.failing("inverted", () => { expect(1).toBe(2); });
jest.retryTimes(3);
let tries = 0;
test("lucky", () => { tries += 1; expect(tries).toBe(2); });
test("empty", () => {});
test("swallowed", () => { try { throw new Error("bug"); } catch {} });
`;
    const run = await facts({ files: { "a.test.js": text } });
    expect(run.faults).toEqual([]);
    expect(statesOf(run)).toEqual({
      good: "passed",
      skipped: "skipped",
      todo: "todo",
      inverted: "expected-failure",
      lucky: "retried",
      empty: "failed",
      swallowed: "failed",
    });
    const lenient = await facts({ files: { "a.test.js": text }, assertionsRequired: false });
    expect(lenient.assertions_required).toBe(false);
    expect(statesOf(lenient)).toMatchObject({ empty: "passed", swallowed: "passed" });
  });

  it("[E14] a test left alone by .only hides the others as skipped; bail of the configuration does not count", async () => {
    const only = await facts({ files: { "a.test.js": `test.only("one", () => { expect(1).toBe(1); });${hidden}` } });
    expect(statesOf(only)).toEqual({ one: "passed", hidden: "skipped" });
    const files = {
      "jest.config.js": `module.exports = { bail: 1, testFailureExitCode: 0 };`,
      "a.test.js": hidden,
      "b.test.js": hidden,
    };
    const bail = await facts({ files });
    expect(bail.cases.map((item) => item.state)).toEqual(["failed", "failed"]);
    expect(isBelieved(bail)).toBe(false);
  });

  it.each<[string, Files]>([
    ["02: a failing test", { "a.test.js": good + hidden }],
    ["03: a file that does not load", { "a.test.js": good, "b.test.js": `require("./gone");` }],
    ["04: a throw at the top of a file", { "a.test.js": `${good}throw new Error("top");` }],
    [
      "05: an unhandled rejection",
      { "a.test.js": `${good}test("x", () => { expect(1).toBe(1); Promise.reject(new Error("late")); });` },
    ],
    [
      "06: a throw after a test ended",
      {
        "a.test.js": `test("x", () => { expect(1).toBe(1); setTimeout(() => { throw new Error("late"); }, 20); });
test("y", async () => { await new Promise((done) => setTimeout(done, 80)); expect(1).toBe(1); });`,
      },
    ],
    [
      "06: a throw after the last test ended, in a process that nobody waits for",
      { "a.test.js": `test("x", () => { expect(1).toBe(1); setTimeout(() => { throw new Error("late"); }, 0); });` },
    ],
    ["07: an empty file", { "a.test.js": good, "b.test.js": "" }],
    ["08: no test files", { "a.js": good }],
    [
      "09: no test files where the configuration lets that pass",
      { "jest.config.js": "module.exports = { passWithNoTests: true };" },
    ],
    ["16: process.exit(0) in a test", { "a.test.js": `${good}test("x", () => { process.exit(0); });${hidden}` }],
    [
      "16b: process.reallyExit(0) in a test",
      { "a.test.js": `${good}test("x", () => { process.reallyExit(0); });${hidden}` },
    ],
    ["16: process.exit(0) at the top of a file", { "a.test.js": `${good}process.exit(0);${hidden}` }],
    [
      "a process that dies once, and whose file is run again",
      {
        "a.test.js": `const fs = require("node:fs");
test("x", () => { expect(1).toBe(1); if (!fs.existsSync("/tmp/once")) { fs.writeFileSync("/tmp/once", ""); process.kill(process.pid, "SIGSEGV"); } });`,
      },
    ],
    [
      "19: a hook before that fails",
      {
        "a.test.js": `${good}describe("s", () => { beforeAll(() => { throw new Error("hook"); }); test("x", () => { expect(1).toBe(1); }); });`,
      },
    ],
    ["20: a hook after that fails", { "a.test.js": `${good}afterAll(() => { throw new Error("hook"); });` }],
    [
      "25: a global teardown that throws",
      {
        "a.test.js": good,
        "jest.config.js": `module.exports = { globalTeardown: "./t.js" };`,
        "t.js": `module.exports = () => { throw new Error("teardown"); };`,
      },
    ],
  ])("[E7] %s is not believed", async (_name, files) => {
    expect(isBelieved(await facts({ files }))).toBe(false);
  });

  it("[E16] what an assertion threw is told from any other error", async () => {
    const text = `test("matcher", () => { expect(1).toBe(2); });
test("assert", () => { require("node:assert").strictEqual(1, 2); });
test("other", () => { throw new Error("x"); });`;
    const run = await facts({ files: { "a.test.js": text } });
    expect(run.cases.map((item) => item.errors[0]?.startsWith("AssertionError: "))).toEqual([true, true, false]);
  });

  it("[E7] a test that never ends is cut, and has no exit code", async () => {
    const text = `${good}test("hangs", () => { for (;;); });`;
    const run = await facts({ files: { "a.test.js": text }, entry: { timeout_seconds: 6 } });
    expect(run.exit).toMatchObject({ code: null, error: "timeout" });
    expect(run.faults).not.toEqual([]);
  });

  it.each<[string, string]>([
    ["overwrites the report", `fs.writeFileSync("${target}", ${JSON.stringify(report)});`],
    [
      "puts a link in the report's place",
      `try { fs.rmSync("${target}"); fs.symlinkSync("/etc/passwd", "${target}"); } catch {}`,
    ],
    ["sets the exit code when the process exits", `process.on("exit", () => { process.reallyExit(0); });`],
    ["kills the runner", `test("x", () => { process.kill(process.ppid, "SIGKILL"); });`],
    [
      "ends the runner after a forged report",
      `test("x", () => { fs.writeFileSync("${target}", ${JSON.stringify(report)}); process.kill(process.ppid, "SIGTERM"); });`,
    ],
    [
      "leaves a writer behind",
      `spawn("/bin/sh", ["-c", ${JSON.stringify(`while :; do printf %s "$REPORT" > ${target}; sleep 0.02; done`)}], { detached: true, stdio: "ignore", env: { REPORT: ${JSON.stringify(report)} } }).unref();`,
    ],
    [
      "runs the witness's preload on its own descriptors",
      `for (let fd = 3; fd < 8; fd += 1) spawnSync("node", ["--require", "${witnessMount}/pre.cjs", "-e", ""], { env: { ...process.env, TRUEUP_CHANNEL: "4" }, stdio: ["ignore", "ignore", "ignore", "ignore", fd], timeout: 500 });`,
    ],
  ])("[E12] a test that %s is not believed", async (_name, attack) => {
    expect(isBelieved(await facts({ files: { "a.test.js": `${imports}${attack}${hidden}` } }))).toBe(false);
  });

  it("[E12] neither a file's process nor what it starts has the channel, its key or its name", async () => {
    const look = `const found = []; for (let fd = 3; fd < 64; fd += 1) { try { if (fs.readlinkSync("/proc/self/fd/" + fd)) found.push(fd); } catch {} }`;
    const file = `${imports}test("looks", () => {
      ${look}
      expect(found).toEqual([]);
      expect(process[Symbol.for("trueup.witness.send")]).toBe(undefined);
      expect(Object.keys(process.env).filter((name) => name.startsWith("TRUEUP"))).toEqual([]);
    });
    test("the runner's inspector cannot be opened by a signal", async () => {
      process.kill(process.ppid, "SIGUSR1");
      for (let round = 0; round < 5; round += 1) {
        const answer = await new Promise((resolve) => { net.connect(9229, "127.0.0.1").on("connect", () => resolve("open")).on("error", (error) => resolve(error.code)); });
        expect(answer).toBe("ECONNREFUSED");
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    });`;
    const run = await facts({ files: { "a.test.js": file } });
    expect(run.cases.map((item) => [item.title, item.state, item.errors])).toEqual([
      ["looks", "passed", []],
      ["the runner's inspector cannot be opened by a signal", "passed", []],
    ]);
  });

  it("[E12] writing to every descriptor from test code is never believed, 20 of 20", async () => {
    let blocked = 0;
    for (let round = 0; round < 20; round += 1) {
      const bytes =
        round % 2 === 0
          ? `Buffer.alloc(${96 + round}, 65)`
          : `Buffer.from([0, 0, 0, ${40 + round}, 0, 0, 0, 0, 0, 0, 0, 1])`;
      const attack = `for (let fd = 3; fd < 64; fd += 1) { try { fs.writeSync(fd, ${bytes}); } catch {} }`;
      const files = { "a.test.js": `${imports}${attack}${hidden}` };
      if (!isBelieved(await facts({ files, entry: { timeout_seconds: 15 } }))) blocked += 1;
    }
    expect(blocked).toBe(20);
  });

  it("[E12] rewriting the report by its path or through /proc is never believed, 20 of 20", async () => {
    let blocked = 0;
    for (let round = 0; round < 20; round += 1) {
      const loop = `while :; do for f in ${target} /proc/*/fd/*; do printf %s "$REPORT" > "$f"; done; sleep 0.0${(round % 5) + 1}; done 2>/dev/null`;
      const attack = `let words = ""; try { words = fs.readFileSync("/proc/" + process.ppid + "/cmdline", "utf8"); } catch {}
        for (const place of ["${target}", ...words.split("\\0")]) { try { if (place.includes("report")) fs.writeFileSync(place.replace(/^.*=/, ""), ${JSON.stringify(report)}); } catch {} }
        spawn("/bin/sh", ["-c", ${JSON.stringify(loop)}], { detached: true, stdio: "ignore", env: { REPORT: ${JSON.stringify(report)} } }).unref();`;
      const files = { "a.test.js": `${imports}${attack}${hidden}` };
      if (!isBelieved(await facts({ files, entry: { timeout_seconds: 15 } }))) blocked += 1;
    }
    expect(blocked).toBe(20);
  });

  /*
   * What runs in jest's main process, or before the tests in theirs, can speak in jest's name: these files are trust roots,
   * taken from base. The honest run names each of them, also those that are only imported.
   */
  it.each<[string, Files, string]>([
    ["a configuration", { "jest.config.js": "module.exports = {};" }, "jest.config.js"],
    [
      "a module that the configuration requires",
      { "jest.config.js": `require("./r"); module.exports = {};`, "r.js": "" },
      "r.js",
    ],
    [
      "a module that an ES configuration imports",
      { "jest.config.mjs": `import "./r.mjs"; export default {};`, "r.mjs": "" },
      "r.mjs",
    ],
    ["a set-up file", { "jest.config.js": `module.exports = { setupFiles: ["./s.js"] };`, "s.js": "" }, "s.js"],
    [
      "a module that a set-up file requires",
      {
        "jest.config.js": `module.exports = { setupFilesAfterEnv: ["./s.js"] };`,
        "s.js": `require("./deep");`,
        "deep.js": "",
      },
      "deep.js",
    ],
    [
      "a module that a set-up file reaches by an alias",
      {
        "jest.config.js": `module.exports = { setupFiles: ["./s.js"], moduleNameMapper: { "^~/(.*)$": "<rootDir>/lib/$1" } };`,
        "s.js": `require("~/deep");`,
        "lib/deep.js": "",
      },
      "lib/deep.js",
    ],
    [
      "a global set-up",
      { "jest.config.js": `module.exports = { globalSetup: "./g.js" };`, "g.js": "module.exports = () => {};" },
      "g.js",
    ],
    [
      "a processor of results",
      {
        "jest.config.js": `module.exports = { testResultsProcessor: "./p.js" };`,
        "p.js": "module.exports = (r) => r;",
      },
      "p.js",
    ],
    [
      "a resolver",
      {
        "jest.config.js": `module.exports = { resolver: "./r.js" };`,
        "r.js": "module.exports = (name, options) => options.defaultResolver(name, options);",
      },
      "r.js",
    ],
    [
      "an environment",
      {
        "jest.config.js": `module.exports = { testEnvironment: "./e.js" };`,
        "e.js": `module.exports = require("/repo/node_modules/jest-environment-node").TestEnvironment;`,
      },
      "e.js",
    ],
    [
      "a transform",
      {
        "jest.config.js": `module.exports = { transform: { "\\\\.js$": "./t.js" } };`,
        "t.js": "module.exports = { process: (code) => ({ code }) };",
      },
      "t.js",
    ],
  ])("[E15] %s is a trust root", async (_name, files, root) => {
    const { facts: run, closure } = await bench.run({ files: { "a.test.js": good, ...files } });
    expect([run.faults, run.exit.code]).toEqual([[], 0]);
    expect(closure).toContain(root);
  });

  it.each<[string, Files]>([
    [
      "28: a processor that turns failures into passes",
      {
        "jest.config.js": `module.exports = { testResultsProcessor: "./p.js" };`,
        "p.js": `module.exports = (r) => { r.success = true; r.numPassedTests = 17; r.numFailedTests = 0; for (const f of r.testResults) { f.numFailingTests = 0; f.failureMessage = null; for (const t of f.testResults) { t.status = "passed"; t.failureMessages = []; } } return r; };`,
      },
    ],
    ["reporters of the configuration", { "jest.config.js": `module.exports = { reporters: [] };` }],
    [
      "a global set-up that takes the channel",
      {
        "jest.config.js": `module.exports = { globalSetup: "./g.js" };`,
        "g.js": `module.exports = () => { delete process[Symbol.for("trueup.witness.send")]; };`,
      },
    ],
    [
      "an exit hook of the configuration",
      { "jest.config.js": `process.on("exit", () => { process.reallyExit(0); }); module.exports = {};` },
    ],
  ])("[E12] %s is not believed, by the evidence alone", async (_name, files) => {
    expect(isBelieved(await facts({ files: { "a.test.js": hidden, ...files } }))).toBe(false);
  });

  /*
   * A file's process computes what its own tests did. Believed by the evidence alone, on purpose shown here: what stops it
   * are must-fail tests planted beside.
   */
  it.each<[string, string]>([
    [
      "a matcher replaced by the test's own file",
      `expect.extend({ toBe: () => ({ pass: true, message: () => "" }) });`,
    ],
    [
      "assertions that a test only counts",
      `beforeEach(() => { expect.setState({ assertionCalls: 1 }); });\ntest("idle", () => {});`,
    ],
  ])("%s is believed by the evidence alone", async (_name, attack) => {
    const text = attack.includes("extend") ? attack + hidden : attack;
    expect(isBelieved(await facts({ files: { "a.test.js": text } }))).toBe(true);
  });
});
