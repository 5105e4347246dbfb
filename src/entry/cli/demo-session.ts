import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { packageRoot } from "./package-version.ts";
import { writeLine, type Terminal } from "./terminal.ts";

/** Where the second part plays: a work tree of its own, and a state directory. */
interface Stage {
  readonly terminal: Terminal;
  readonly work: string;
  readonly home: string;
}

const buggy = 'export const slugify = (title) => title.trim().toLowerCase().replace(/\\s/g, "-");\n';
const mended = buggy.replace("\\s/g", "\\s+/g");
/** Waits while a file `slow` is there; prints much, and fails in the middle of it. */
const check = `import { existsSync } from "node:fs";
import { slugify } from "./slugify.mjs";
while (existsSync("slow")) await new Promise((resolve) => setTimeout(resolve, 20));
const good = slugify("a  b") === "a-b";
for (let line = 0; line < 20000; line++) console.log(!good && line === 10000 ? "FAIL slugify('a  b')" : "ok " + line);
console.log("done");
process.exitCode = good ? 0 : 1;
`;
const contract = { changed_files_only: ["slugify.mjs"], commands: [{ command: "node check.mjs" }] };
const said = "running tests now\nall tests pass\n";

/**
 * The second part of the demo: no executor, an agent at a terminal. It says "running tests now" and "all tests pass"; the
 * three ways in which that was not so are each blocked. Returns what did not go as it must.
 */
export async function playSession(terminal: Terminal, home: string): Promise<readonly string[]> {
  const stage = await setStage(terminal, home);
  const scenes = [
    ["no command ran between the two sentences", "command-not-run", async () => undefined],
    ["it ran, and the result never came back: the runner was killed", "null-exit", () => killedRun(stage)],
    [
      "the result came back, and the failing line was cut",
      "command-failed",
      () => trueup(stage, ["run", "--", "node", "check.mjs"]),
    ],
  ] as const;
  const surprises: string[] = [];
  for (const [heading, code, act] of scenes) {
    await writeLine(terminal.stdout, `\n━━ The agent says "running tests now" and "all tests pass": ${heading} ━━`);
    await trueup(stage, ["start", "--contract", "../contract.json"]);
    await writeFile(path.join(stage.work, "slugify.mjs"), `${buggy}// ${code}\n`);
    await act();
    surprises.push(...(await gate(stage, code)));
  }
  await writeLine(terminal.stdout, "\n━━ The bug is mended and the command run again: it passes, at grade D ━━");
  await writeFile(path.join(stage.work, "slugify.mjs"), mended);
  await trueup(stage, ["run", "--", "node", "check.mjs"]);
  return [...surprises, ...(await gate(stage, null))];
}

async function setStage(terminal: Terminal, home: string): Promise<Stage> {
  const work = path.join(home, "session");
  await mkdir(work);
  await writeFile(path.join(home, "contract.json"), JSON.stringify(contract));
  await writeFile(path.join(home, "said.txt"), said);
  await writeFile(path.join(work, "slugify.mjs"), buggy);
  await writeFile(path.join(work, "check.mjs"), check);
  await writeFile(path.join(work, ".gitignore"), "slow\n");
  const stage = { terminal, work, home };
  const who = ["-c", "user.name=Demo", "-c", "user.email=demo@localhost"];
  for (const args of [
    ["init", "-q", "-b", "main"],
    ["add", "-A"],
    [...who, "commit", "-q", "-m", "A slug function, with a bug"],
  ]) {
    await once(start(stage, "git", args), "close");
  }
  return stage;
}

function start(stage: Stage, program: string, args: readonly string[]): ChildProcess {
  const env = { ...stage.terminal.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  return spawn(program, args, { cwd: stage.work, env, stdio: ["ignore", "pipe", "pipe"] });
}

/** Runs our own command line as a user would; prints the command and the first lines it prints. */
async function trueup(
  stage: Stage,
  args: readonly string[],
  lines = 3,
): Promise<{ code: number | null; stdout: string }> {
  const { stdout } = stage.terminal;
  await writeLine(stdout, `$ trueup ${args.join(" ")}`);
  const child = start(stage, process.execPath, [path.join(packageRoot(), "bin/trueup.js"), ...args]);
  const chunks: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stderr?.resume();
  await once(child, "close");
  const text = Buffer.concat(chunks).toString("utf8");
  const all = text.trimEnd().split("\n");
  const shown = all.length > 2 * lines ? [...all.slice(0, lines), "...", ...all.slice(-1)] : all;
  for (const line of shown) if (line !== "") await writeLine(stdout, `  ${line}`);
  return { code: child.exitCode, stdout: text };
}

/** Kills the runner in the middle: what it ran goes on to its end for nobody, and there is no result. */
async function killedRun(stage: Stage): Promise<void> {
  const slow = path.join(stage.work, "slow");
  await writeFile(slow, "");
  await writeLine(stage.terminal.stdout, "$ trueup run -- node check.mjs   (and the runner is killed)");
  const runner = start(stage, process.execPath, [
    path.join(packageRoot(), "bin/trueup.js"),
    "run",
    "--",
    "node",
    "check.mjs",
  ]);
  while (!(await isStarted(stage)) && runner.exitCode === null) await pause(20);
  runner.kill("SIGKILL");
  await once(runner, "exit");
  await rm(slow);
}

async function isStarted(stage: Stage): Promise<boolean> {
  const sessions = path.join(stage.terminal.env["TRUEUP_STATE"] ?? "", "sessions");
  const names = existsSync(sessions) ? await readdir(sessions, { recursive: true }) : [];
  return names.some((name) => /\/started\/[^/]+\.json$/u.test(name));
}

async function gate(stage: Stage, code: string | null): Promise<readonly string[]> {
  const ran = await trueup(stage, ["gate", "--claim", "../said.txt"], 8);
  if (code === null) return ran.code === 0 ? [] : [`the mended session ended with exit ${ran.code ?? "none"}`];
  const seen = ran.code === 1 && ran.stdout.includes(`block ${code} `);
  return seen ? [] : [`a session was not blocked with ${code}`];
}
