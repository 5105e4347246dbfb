import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { witnessMount } from "../../src/app/gather/prepare-launch.ts";
import { openVitestBench, type BenchRun, type VitestBench } from "./vitest-bench.ts";

type Files = BenchRun["files"];

const imports = `import { afterEach, expect, it } from "vitest";
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
`;
/** The failure every attack here wants to hide. */
const hidden = `\nit("hidden", () => expect(1).toBe(2));\n`;
const report = JSON.stringify({
  numTotalTests: 1,
  numPassedTests: 1,
  numFailedTests: 0,
  success: true,
  testResults: [
    {
      name: "/repo/a.test.ts",
      status: "passed",
      assertionResults: [{ ancestorTitles: [], title: "hidden", status: "passed" }],
    },
  ],
});
const target = "/opt/trueup/report.json";
const fromTest = (attack: string): Files => ({ "a.test.ts": `${imports}${attack}${hidden}` });
const fromConfig = (config: string, more: Files = {}): Files => ({
  "a.test.ts": `${imports}${hidden}`,
  "vitest.config.ts": config,
  ...more,
});

describe("forging the evidence", () => {
  let bench: VitestBench;

  beforeAll(async () => {
    bench = await openVitestBench();
  });
  afterAll(() => bench.close());

  /** Evidence that would pass: no fault, exit 0, ended as passed, every test passed. */
  async function believed(files: Files, entry: BenchRun["entry"] = {}): Promise<boolean> {
    const { facts } = await bench.run({ files, entry });
    const green =
      facts.cases.length > 0 && facts.cases.every((item) => item.state === "passed") && facts.unhandled.length === 0;
    return facts.faults.length === 0 && facts.exit.code === 0 && facts.reason === "passed" && green;
  }

  it.each<[string, string]>([
    ["overwrites the report", `fs.writeFileSync("${target}", ${JSON.stringify(report)});`],
    [
      "puts a link in place of the report",
      `try { fs.rmSync("${target}"); fs.symlinkSync("/etc/passwd", "${target}"); } catch {}`,
    ],
    [
      "writes into every descriptor",
      `for (let fd = 3; fd < 64; fd += 1) { try { fs.writeSync(fd, Buffer.alloc(96, 65)); } catch {} }`,
    ],
    ["ends with process.exit(0)", `it("exits", () => process.exit(0));`],
    ["ends with process.reallyExit(0)", `it("exits", () => process.reallyExit(0));`],
    ["sets exitCode in an exit hook", `process.on("exit", () => { process.exitCode = 0; process.reallyExit(0); });`],
    ["kills the runner", `it("kills", () => { process.kill(process.ppid, "SIGKILL"); });`],
    [
      "terminates the runner after forging the report",
      `it("kills", () => { fs.writeFileSync("${target}", ${JSON.stringify(report)}); process.kill(process.ppid, "SIGTERM"); });`,
    ],
    ["flips the result in a hook", `afterEach((context) => { context.task.result.state = "pass"; });`],
    [
      "runs the witness's preload on its own descriptors",
      `for (let fd = 3; fd < 8; fd += 1) spawnSync(process.argv[0], ["--require", "${witnessMount}/pre.cjs", "-e", ""], { env: { TRUEUP_CHANNEL: "4" }, stdio: ["ignore", "ignore", "ignore", "ignore", fd], timeout: 500 });`,
    ],
  ])("[E12] a test that %s is not believed", async (_name, attack) => {
    expect(await believed(fromTest(attack))).toBe(false);
  });

  it("[E12] the runner's inspector cannot be opened by a signal", async () => {
    const attack = `it("inspects", async () => {
      process.kill(process.ppid, "SIGUSR1");
      for (let round = 0; round < 10; round += 1) {
        const answer = await new Promise((resolve) => net.connect(9229, "127.0.0.1").on("connect", () => resolve("open")).on("error", (error) => resolve(error.code)));
        expect(answer).toBe("ECONNREFUSED");
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    });`;
    const { facts } = await bench.run({ files: fromTest(attack) });
    expect(facts.cases.map((item) => [item.title, item.state])).toEqual([
      ["inspects", "passed"],
      ["hidden", "failed"],
    ]);
  });

  it("[E12] a detached writer cannot replace the report", async () => {
    const loop = `while :; do printf %s "$REPORT" > ${target}; sleep 0.02; done`;
    const attack = `spawn("/bin/sh", ["-c", ${JSON.stringify(loop)}], { detached: true, stdio: "ignore", env: { REPORT: ${JSON.stringify(report)} } }).unref();`;
    expect(await believed(fromTest(attack))).toBe(false);
  });

  it("[E12] a process left behind with the runner's output ends the run as a timeout, not as a pass", async () => {
    const attack = `spawn("/bin/sleep", ["600"], { detached: true, stdio: "inherit" }).unref();`;
    const { facts } = await bench.run({ files: fromTest(attack), entry: { timeout_seconds: 8 } });
    expect(facts.exit.code).toBeNull();
  });

  it.each<[string, Files]>([
    [
      "an exit hook in the config that forces 0",
      fromConfig(`process.on("exit", () => { process.reallyExit(0); });\nexport default {};`),
    ],
    [
      "reporters of the config",
      fromConfig(
        `export default { test: { reporters: [{ onTestRunEnd() { process.exitCode = 0; } }], outputFile: "x.json" } };`,
      ),
    ],
    [
      "a global setup that removes the witness",
      fromConfig(`export default { test: { globalSetup: "./g.ts" } };`, {
        "g.ts": `export default (project) => { project.vitest.reporters = []; process.on("exit", () => { process.exitCode = 0; }); };`,
      }),
    ],
    [
      "a config that takes the witness's channel and goes on",
      fromConfig(`delete process[Symbol.for("trueup.witness.send")];\nexport default {};`),
    ],
  ])("[E12] %s is not believed, by the evidence alone", async (_name, files) => {
    expect(await believed(files)).toBe(false);
  });

  /*
   * What runs in the runner's main process, or before the tests in theirs, can speak in the runner's name. These are
   * believed by the evidence layer alone, on purpose shown here: what stops them is that such files are taken from base.
   */
  const ownMessages = `
    const send = process[Symbol.for("trueup.witness.send")];
    const one = { id: "1", project: "", file: "/repo/a.test.ts", suite: [], title: "hidden", state: "passed", mode: "run", fails: false, retries: 0, errors: [] };
    const file = { id: "m", project: "", file: one.file, state: "passed", errors: [] };
    const files = { configFile: null, configFileDependencies: [], setupFiles: [], globalSetup: [], runner: null, environment: null, snapshotEnvironment: null, snapshotSerializers: [], diff: null, coverageProvider: null, typecheckConfig: null };
    const project = { name: "", root: "/repo", pool: "forks", isolate: true, forksIsolate: null, singleFork: null, browser: false, retry: 0, allowOnly: false, passWithNoTests: false, dangerouslyIgnoreUnhandledErrors: false, requireAssertions: true, include: [], files };
    send({ type: "init", version: 1, runner: { name: "vitest", version: "5.1.2" }, projects: [project] });
    send({ type: "case", case: one });
    send({ type: "module", module: file });
    send({ type: "end", reason: "passed", cases: [one], modules: [file], unhandled: [], counts: { cases: 1, passed: 1, failed: 0 }, closure: [] });
    process.exit(0);`;
  it.each<[string, Files, string]>([
    ["a config that speaks over the channel itself", fromConfig(ownMessages), "vitest.config.ts"],
    [
      "a module that the config imports",
      fromConfig(`import "./settings.ts";\nexport default {};`, { "settings.ts": ownMessages }),
      "settings.ts",
    ],
    [
      "a setup file that replaces a matcher",
      fromConfig(`export default { test: { setupFiles: "./s.ts" } };`, {
        "s.ts": `import { expect } from "vitest";\nexpect.extend({ toBe: () => ({ pass: true, message: () => "" }) });`,
      }),
      "s.ts",
    ],
    [
      "a module that a setup file imports",
      fromConfig(`export default { test: { setupFiles: "./s.ts" } };`, {
        "s.ts": `import "./deep.ts";`,
        "deep.ts": `import { expect } from "vitest";\nexpect.extend({ toBe: () => ({ pass: true, message: () => "" }) });`,
      }),
      "deep.ts",
    ],
  ])("[E12] %s is stopped by the trust roots: the honest run names the file", async (_name, files, culprit) => {
    expect(await believed(files)).toBe(true);
    const honest = { ...files, [culprit]: "export default {};" };
    const base =
      culprit === "vitest.config.ts" ? honest : { ...honest, "vitest.config.ts": files["vitest.config.ts"] ?? "" };
    const { closure } = await bench.run({ files: base });
    expect(closure).toContain(culprit);
  });
});
