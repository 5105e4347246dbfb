import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CommandRecord } from "../../src/core/record/index.ts";
import type { Verdict } from "../../src/core/gate/verdict.ts";
import { canary, canaryText } from "./pipeline-canary.ts";
import { openPipeline, writeFiles, type Pipeline } from "./pipeline-stage.ts";

const bin = path.join(import.meta.dirname, "../../bin/trueup.js");
const contract = {
  changed_files_only: ["src/slugify.ts"],
  commands: [{ command: "node suite.mjs" }],
};
/** The suite a reviewer runs: it waits while `slow` is there, prints much, fails in the middle, and ends in good cheer. */
const suite = `import { existsSync } from "node:fs";
while (existsSync("slow")) await new Promise((resolve) => setTimeout(resolve, 20));
const bad = !existsSync("good");
for (let line = 0; line < 20000; line++) console.log(bad && line === 10000 ? "FAIL 2 tests" : "ok " + line);
console.log("done");
process.exitCode = bad ? 1 : 0;
`;
const said = "running tests now\nall tests pass\n";

describe("the agent said the tests passed, and no test ran", () => {
  let pipeline: Pipeline;
  let work: string;
  let environment: NodeJS.ProcessEnv;

  beforeAll(() => {
    pipeline = openPipeline({ ...canary, "suite.mjs": suite, ".gitignore": "node_modules\nslow\ngood\n" });
    work = pipeline.clone("work");
    environment = { ...process.env, TRUEUP_STATE: pipeline.state, TRUEUP_SESSION: "" };
    writeFileSync(path.join(pipeline.home, "contract.json"), JSON.stringify(contract));
    writeFileSync(path.join(pipeline.home, "said.txt"), said);
    begin();
    writeFiles(work, { "src/slugify.ts": canaryText("src/slugify.ts").replace("/\\s/g", "/\\s+/g") });
  });
  afterAll(() => pipeline[Symbol.dispose]());

  function trueup(...argv: readonly string[]): { code: number | null; stdout: string } {
    const ran = spawnSync(process.execPath, [bin, ...argv], { cwd: work, env: environment, encoding: "utf8" });
    return { code: ran.status, stdout: ran.stdout };
  }

  function begin(): void {
    expect(trueup("start", "--contract", path.join(pipeline.home, "contract.json")).code).toBe(0);
  }

  function gate(): { code: number | null; blocks: readonly string[]; verdict: Verdict } {
    const ran = trueup("gate", "--json", "--claim", path.join(pipeline.home, "said.txt"));
    const { verdict } = JSON.parse(ran.stdout) as { verdict: Verdict };
    const blocks = verdict.findings
      .filter((one) => one.severity === "block")
      .map((one) => `${one.code} ${one.subject}`);
    return { code: ran.code, blocks, verdict };
  }

  test("[S1] [A1] [B2] no command ran: a run outside the wrapper leaves no record either", () => {
    spawnSync(process.execPath, ["suite.mjs"], { cwd: work });
    const { code, blocks } = gate();
    expect(code).toBe(1);
    expect(blocks).toContain("command-not-run commands[0]");
  });

  test("[S1] [A9] it ran and the result never came back: the runner died, and the record says that there is no exit", async () => {
    begin();
    writeFileSync(path.join(work, "slow"), "");
    const runner = spawn(process.execPath, [bin, "run", "--", "node", "suite.mjs"], {
      cwd: work,
      env: environment,
      stdio: "ignore",
    });
    const sessions = path.join(pipeline.state, "sessions");
    await expect.poll(() => startedIn(sessions), { timeout: 30_000 }).toBe(true);
    runner.kill("SIGKILL");
    await new Promise((resolve) => runner.on("exit", resolve));
    const { code, blocks } = gate();
    expect([code, blocks]).toEqual([1, ["null-exit commands[0]"]]);
  });

  test("[S1] [B3] the result came back and the failing line was cut: the exit code stands, whatever the words", () => {
    begin();
    writeFileSync(path.join(work, "slow.off"), "");
    spawnSync("rm", ["-f", path.join(work, "slow"), path.join(work, "slow.off")]);
    expect(trueup("run", "--expect", "all tests pass", "--", "node", "suite.mjs").code).toBe(1);
    const { code, blocks } = gate();
    expect([code, blocks]).toEqual([1, ["command-failed commands[0]"]]);
    const record = JSON.parse(
      trueup("log", "--json").stdout.trim().split("\n").at(-1) ?? "null",
    ) as CommandRecord | null;
    expect(record?.stdout.head + (record?.stdout.tail ?? "")).not.toContain("FAIL 2 tests");
    expect(record?.stdout.tail.trimEnd().endsWith("done")).toBe(true);
    expect([record?.expectation, (record?.stdout.omitted_lines ?? 0) > 10_000]).toEqual(["all tests pass", true]);
  });

  test("[B5] a retry on the same tree that passed does not undo it; an edit and a new run do", () => {
    writeFileSync(path.join(work, "good"), "");
    expect(trueup("run", "--", "node", "suite.mjs").code).toBe(0);
    expect(gate().blocks).toEqual(["command-failed commands[0]"]);
    writeFiles(work, { "src/slugify.ts": `${readFileSync(path.join(work, "src/slugify.ts"), "utf8")}\n` });
    expect(gate().blocks).toContain("stale-record commands[0]");
    expect(trueup("run", "--", "node", "suite.mjs").code).toBe(0);
    const { code, blocks, verdict } = gate();
    expect([code, blocks, verdict.outcome, verdict.grade.value]).toEqual([0, [], "passed", "D"]);
  });
});

function startedIn(sessions: string): boolean {
  const found = spawnSync("find", [sessions, "-path", "*/started/*.json"], { encoding: "utf8" }).stdout.trim();
  return existsSync(sessions) && found !== "";
}
