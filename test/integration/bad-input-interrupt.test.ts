import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bin, halfWritten, openStage, type Ended, type Stage } from "./bad-input-stage.ts";

let stage: Stage;
let work: string;
beforeAll(() => {
  stage = openStage();
  work = stage.repository("work", { "a.txt": "a\n" }, { "a.txt": "a\nz\n" });
});
afterAll(() => stage[Symbol.dispose]());

/** Whether a process with this word on its command line is alive, wherever it runs. */
function isRunning(word: string): boolean {
  return readdirSync("/proc").some((name) => /^\d+$/u.test(name) && argumentsOf(name).includes(word));
}

function argumentsOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** A check in a process of its own, which is sent a signal once the condition holds. */
async function interrupt(signal: NodeJS.Signals, when: () => boolean, flags: readonly string[]): Promise<Ended> {
  const argv = [bin, "check", "--contract", stage.path("contract.json"), ...flags];
  const child = spawn(process.execPath, argv, { cwd: work, env: { ...stage.env, PATH: process.env["PATH"] } });
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => (output.stdout += String(chunk)));
  child.stderr.on("data", (chunk: Buffer) => (output.stderr += String(chunk)));
  const closed = once(child, "close") as Promise<[number | null]>;
  await until(when);
  child.kill(signal);
  return { exit: (await closed)[0], ...output };
}

test("Ctrl-C while a command runs ends it and all it started, exit 130; the same command then passes", async () => {
  // Seconds that no other process on this machine asks for.
  const seconds = `60.${process.pid}`;
  const contract = (command: string): void =>
    stage.write({ "contract.json": JSON.stringify({ commands: [{ command }], max_added_lines: 2 }) });
  contract(`sleep ${seconds}`);
  const words = await interrupt("SIGINT", () => isRunning(seconds), []);
  expect([words.exit, words.stdout]).toEqual([130, ""]);
  expect(words.stderr).toMatch(/^trueup: Interrupted.* \[interrupted\]\n {2}Run the same command again/mu);
  expect(words.stderr).not.toMatch(/\n {4}at /u);
  expect(isRunning(seconds)).toBe(false);

  const json = await interrupt("SIGTERM", () => isRunning(seconds), ["--json"]);
  expect(json.exit).toBe(130);
  expect(JSON.parse(json.stdout)).toMatchObject({ error: { code: "interrupted" } });
  expect(isRunning(seconds)).toBe(false);

  contract("true");
  const again = await stage.run(work, ["check", "--json", "--contract", stage.path("contract.json")], {
    PATH: process.env["PATH"],
  });
  expect(JSON.parse(again.stdout)).toMatchObject({ verdict: { outcome: "passed" } });
  expect(halfWritten(stage.home)).toEqual([]);
});
