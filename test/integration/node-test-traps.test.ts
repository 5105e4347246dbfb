import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PlantedTest, RunFacts } from "../../src/core/facts/index.ts";
import { witnessMount } from "../../src/app/gather/prepare-launch.ts";
import { plantNodeTestCanary } from "../../src/runners/node-test/canary.ts";
import { openToolchainBench, type ToolchainBench } from "./toolchain-bench.ts";
import type { BenchRun } from "./vitest-bench.ts";

const imports = `import { after, before, describe, it, test } from "node:test";
import assert from "node:assert";
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import v8 from "node:v8";
`;
const good = `${imports}test("good", () => assert.ok(1));\n`;
const hidden = `\ntest("hidden", () => assert.ok(0));\n`;
const target = "/opt/trueup/report.json";
const codes = (run: RunFacts): string[] => run.faults.map((fault) => fault.code);
/** Evidence that would pass: no fault, exit 0, ended as passed, every file has tests, every test passed. */
const isBelieved = (run: RunFacts): boolean =>
  run.faults.length === 0 &&
  run.exit.code === 0 &&
  run.reason === "passed" &&
  run.unhandled.length === 0 &&
  run.modules.every((module) => module.state === "passed" && run.cases.some((item) => item.file === module.file)) &&
  run.cases.length > 0 &&
  run.cases.every((item) => item.state === "passed" && item.errors.length === 0);

/** The nodes of this machine that can be witnessed: our own at least. */
async function majorsHere(): Promise<readonly string[]> {
  const found: string[] = [];
  for (const range of ["20.x", "22.x", "24.x"]) {
    const bench = await openToolchainBench({ command: "node --test", node: range }).catch(() => null);
    if (bench !== null) found.push(range);
    await bench?.close();
  }
  return found;
}

const majors = await majorsHere();

describe.each(majors)("node:test of node %s", (node) => {
  let bench: ToolchainBench;
  const facts = async (run: BenchRun): Promise<RunFacts> => (await bench.run(run)).facts;

  beforeAll(async () => {
    bench = await openToolchainBench({ command: "node --test", node });
  });
  afterAll(() => bench.close());

  it("[E5] an honest run is believed; a helper beside the tests is a file without a test", async () => {
    const files = { "test/a.test.mjs": good, "test/b.test.mjs": good };
    const honest = await facts({ files });
    expect([isBelieved(honest), honest.second_witness]).toEqual([true, "agrees"]);
    const run = await facts({ files: { ...files, "test/helper.mjs": "export const one = 1;\n" } });
    expect([run.exit.code, codes(run), run.modules.map((module) => module.state)]).toEqual([
      0,
      [],
      ["passed", "passed", "passed"],
    ]);
    expect(run.cases).toHaveLength(2);
  });

  it("files, directories of files and a pattern for names select what they name", async () => {
    const files = { "test/a.test.mjs": `${good}${hidden}`, "test/b.test.mjs": hidden };
    const run = await facts({ files, entry: { command: "node --test --test-name-pattern good test/a.test.mjs" } });
    expect(run.exit.code).toBe(0);
    expect(codes(run)).toEqual([]);
    expect(run.cases.filter((item) => item.state === "passed").map((item) => item.title)).toEqual(["good"]);
  });

  it.each<[string, BenchRun["files"]]>([
    ["a failing test", { "a.test.mjs": good + hidden }],
    ["a file that does not load", { "a.test.mjs": good, "b.test.mjs": `import "./gone.mjs";\n` }],
    ["a throw at the top of a file", { "a.test.mjs": `${good}throw new Error("top");\n` }],
    ["an unhandled rejection", { "a.test.mjs": `${good}Promise.reject(new Error("late"));\n` }],
    [
      "a throw after the test ended",
      {
        "a.test.mjs": `${imports}test("x", () => { setTimeout(() => { throw new Error("late"); }, 20); });\ntest("y", () => new Promise((done) => setTimeout(done, 60)));\n`,
      },
    ],
    ["an empty file", { "a.test.mjs": good, "b.test.mjs": "" }],
    ["no test at all", { "a.mjs": "" }],
    [
      "a hook before a suite that fails",
      {
        "a.test.mjs": `${imports}describe("s", () => { before(() => { throw new Error("hook"); }); it("x", () => {}); });\n`,
      },
    ],
    [
      "a hook after a suite that fails",
      {
        "a.test.mjs": `${imports}describe("s", () => { after(() => { throw new Error("hook"); }); it("x", () => {}); });\n`,
      },
    ],
    ["a hook after the whole file that fails", { "a.test.mjs": `${good}after(() => { throw new Error("hook"); });\n` }],
    ["a suite whose body throws", { "a.test.mjs": `${good}describe("s", () => { throw new Error("body"); });\n` }],
    ["process.exit(0) at the top", { "a.test.mjs": `${good}${hidden}process.exit(0);\n` }],
    ["process.exit(0) in a test", { "a.test.mjs": `${good}test("ends", () => process.exit(0));${hidden}` }],
    [
      "process.exit(0) later in a test",
      {
        "a.test.mjs": `${good}test("ends", async () => { await new Promise((done) => setTimeout(done, 80)); process.exit(0); });${hidden}`,
      },
    ],
    ["process.reallyExit(0)", { "a.test.mjs": `${good}test("ends", () => process.reallyExit(0));${hidden}` }],
    [
      "an exit code set in an exit hook",
      { "a.test.mjs": `${good}${hidden}process.on("exit", () => { process.exitCode = 0; process.reallyExit(0); });\n` },
    ],
    [
      "a test that kills its file's process",
      { "a.test.mjs": `${good}test("kills", () => process.kill(process.pid, "SIGKILL"));${hidden}` },
    ],
    [
      "a test that times out",
      { "a.test.mjs": `${good}test("slow", { timeout: 20 }, () => new Promise((done) => setTimeout(done, 500)));\n` },
    ],
  ])("[E7] %s is not believed", async (_name, files) => {
    expect(isBelieved(await facts({ files }))).toBe(false);
  });

  it("[E7] a file that never ends is cut, and has no exit code", async () => {
    const file = `${good}test("hangs", () => new Promise(() => setInterval(() => {}, 1000)));\n`;
    const run = await facts({ files: { "a.test.mjs": file }, entry: { timeout_seconds: 4 } });
    expect(run.exit).toMatchObject({ code: null, error: "timeout" });
    expect(run.faults).not.toEqual([]);
  });

  it.each<[string, string]>([
    [
      "ends the runner after a forged report",
      `test("x", () => { fs.writeFileSync("${target}", "<testsuites/>"); process.kill(process.ppid, "SIGTERM"); });`,
    ],
    ["kills the runner", `test("x", () => process.kill(process.ppid, "SIGKILL"));`],
    ["prints a summary", `console.log("# tests 1\\n# pass 1\\n# fail 0");`],
    [
      "runs the witness's preload on its own descriptors",
      `for (let fd = 3; fd < 8; fd += 1) spawnSync(process.argv[0], ["--require", "${witnessMount}/pre.cjs", "-e", ""], { env: { TRUEUP_CHANNEL: "4" }, stdio: ["ignore", "ignore", "ignore", "ignore", fd], timeout: 500 });`,
    ],
    ["prints the mark of another file", `process.stdout.write("\\n");`],
  ])("[E12] a test that %s is not believed", async (_name, attack) => {
    expect(
      isBelieved(await facts({ files: { "a.test.mjs": `${imports}${attack}${hidden}`, "b.test.mjs": good } })),
    ).toBe(false);
  });

  it("[E12] the runner's inspector cannot be opened by a signal", async () => {
    const attack = `test("inspects", async () => {
      process.kill(process.ppid, "SIGUSR1");
      for (let round = 0; round < 10; round += 1) {
        const answer = await new Promise((resolve) => net.connect(9229, "127.0.0.1").on("connect", () => resolve("open")).on("error", (error) => resolve(error.code)));
        assert.equal(answer, "ECONNREFUSED");
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    });`;
    expect(isBelieved(await facts({ files: { "a.test.mjs": `${imports}${attack}` } }))).toBe(true);
  });

  it("[E12] neither a file's process nor what it starts has the channel, its key or its name", async () => {
    const look = `const found = []; for (let fd = 3; fd < 64; fd += 1) { try { if (fs.fstatSync(fd).isSocket()) found.push(fd); } catch {} }`;
    const child = `const fs = require("fs"); ${look} console.log(JSON.stringify([found, Object.keys(process.env).filter((name) => name.startsWith("TRUEUP"))]));`;
    const file = `${imports}test("looks", () => {
      ${look}
      assert.deepEqual(found, []);
      assert.equal(process[Symbol.for("trueup.witness.send")], undefined);
      const { stdout } = spawnSync(process.argv[0], [...process.execArgv, "-e", ${JSON.stringify(child)}], { encoding: "utf8" });
      assert.equal(stdout, "[[],[]]\\n");
    });\n`;
    const run = await facts({ files: { "a.test.mjs": file } });
    expect(run.cases.map((item) => [item.state, item.errors])).toEqual([["passed", []]]);
  });

  it("[E12] writing to every descriptor from test code is never believed, 20 of 20", async () => {
    let blocked = 0;
    for (let round = 0; round < 20; round += 1) {
      const bytes =
        round % 2 === 0 ? `Buffer.alloc(${96 + round}, 65)` : `Buffer.from([0xff, 0x0f, 0, 0, 0, ${round}, 1, 2, 3])`;
      const attack = `for (let fd = 3; fd < 64; fd += 1) { try { fs.writeSync(fd, ${bytes}); } catch {} }`;
      const run = await facts({
        files: { "a.test.mjs": `${imports}${attack}${hidden}` },
        entry: { timeout_seconds: 20 },
      });
      if (!isBelieved(run)) blocked += 1;
    }
    expect(blocked).toBe(20);
  });

  it("[E12] rewriting the report by its path or through /proc is never believed, 20 of 20", async () => {
    let blocked = 0;
    for (let round = 0; round < 20; round += 1) {
      const loop = `while :; do for f in ${target} /proc/*/fd/*; do printf '<testsuites tests="${round}"/>' > "$f"; done; sleep 0.02; done 2>/dev/null`;
      const attack = `let words = ""; try { words = fs.readFileSync("/proc/" + process.ppid + "/cmdline", "utf8"); } catch {}
        for (const path of ["${target}", ...words.split("\\0")]) { try { if (path.includes("report")) fs.writeFileSync(path, "<testsuites/>"); } catch {} }
        spawn("/bin/sh", ["-c", ${JSON.stringify(loop)}], { detached: true, stdio: "ignore" }).unref();`;
      if (!isBelieved(await facts({ files: { "a.test.mjs": `${imports}${attack}${hidden}` } }))) blocked += 1;
    }
    expect(blocked).toBe(20);
  });

  it.each([
    ["a module", "a.test.mjs", `${imports}describe("s", () => { test("x", () => assert.ok(1)); });\n`],
    [
      "a script",
      "a.test.cjs",
      `const { describe, test } = require("node:test");\ndescribe("s", () => { test("x", () => {}); });\n`,
    ],
  ])("[E12] must-fail tests planted into %s fail beside the real ones, which still pass", async (_name, file, text) => {
    const planted: readonly PlantedTest[] = [
      { suite: ["s"], title: "x", kind: "twin", fails_by: "assertion" },
      { suite: [], title: "stray", kind: "stray", fails_by: "throw" },
    ];
    const code = plantNodeTestCanary({ path: file, text, planted, seed: "0123", beside: [] }) ?? "";
    const run = await facts({ files: { [file]: code } });
    expect(run.faults).toEqual([]);
    expect(run.cases.map((item) => [...item.suite, item.title, item.ordinal, item.state].join(" "))).toEqual([
      "s x 0 passed",
      "s x 1 failed",
      "stray 0 failed",
    ]);
  });

  /*
   * A file's process tells node what its tests did in frames of node's own making, so it can write such frames itself, for
   * its own tests. Believed by the evidence alone, on purpose shown here: what stops it are must-fail tests put beside.
   */
  it("frames that a file's process forges about its own tests are believed by the evidence alone", async () => {
    const attack = `
      const frame = (type, data) => {
        const serializer = new v8.DefaultSerializer(); serializer.writeHeader();
        serializer.writeValue({ type, data });
        const body = serializer.releaseBuffer(); const head = Buffer.alloc(6);
        head[0] = 0xff; head[1] = 0x0f; head.writeUInt32BE(body.length, 2);
        return Buffer.concat([head, body]);
      };
      const at = { nesting: 0, file: "/repo/a.test.mjs", line: 2, column: 1 };
      const done = { ...at, name: "hidden", testNumber: 1, details: { duration_ms: 1, type: "test" } };
      const counts = { tests: 1, failed: 0, passed: 1, cancelled: 0, skipped: 0, todo: 0, topLevel: 1, suites: 0 };
      fs.writeSync(1, Buffer.concat([
        frame("test:enqueue", { ...at, name: "hidden", type: "test" }), frame("test:start", { ...at, name: "hidden" }),
        frame("test:pass", done), frame("test:summary", { success: true, counts, duration_ms: 1, file: at.file }),
      ]));
      process.reallyExit(0);`;
    expect(isBelieved(await facts({ files: { "a.test.mjs": `${imports}${attack}${hidden}` } }))).toBe(true);
  });
});
