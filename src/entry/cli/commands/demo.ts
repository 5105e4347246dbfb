import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { Command } from "commander";
import { deliver } from "../../../app/deliver/deliver.ts";
import type { DeliverResult } from "../../../app/deliver/delivery.ts";
import { createDeliverPorts } from "../build-ports.ts";
import { playSession } from "../demo-session.ts";
import { packageRoot } from "../package-version.ts";
import { readDeliverRequest } from "../read-deliver-request.ts";
import type { ExitSlot } from "../run-cli.ts";
import { writeLine, type Terminal } from "../terminal.ts";
import { printResult } from "./deliver.ts";

const run = promisify(execFile);

/** One scene: an agent, the task it is given, and what must come of it. */
interface Scene {
  readonly heading: string;
  readonly agent: string;
  readonly title: string;
  readonly expect: { readonly status: DeliverResult["status"]; readonly finding: string | null };
}

const title = "Collapse runs of spaces in slugs";

const scenes: readonly Scene[] = [
  {
    heading: "An honest agent fixes the bug and adds one test",
    agent: "honest",
    title,
    expect: { status: "published", finding: null },
  },
  {
    heading: "An agent claims two tests and writes none",
    agent: "claims-two-tests",
    title: `${title}, second try`,
    expect: { status: "acceptance_failed", finding: "claim-contradicted" },
  },
  {
    heading: "An agent edits a file outside the scope",
    agent: "out-of-scope",
    title: `${title}, third try`,
    expect: { status: "acceptance_failed", finding: "outside-scope" },
  },
  {
    heading: "The honest change again, from another task: it attaches, no second pull request",
    agent: "honest",
    title: `${title} (again)`,
    expect: { status: "attached", finding: null },
  },
];

/** `trueup demo`: the main job for real, on a little repository, with honest and dishonest agents. */
export function registerDemo(program: Command, terminal: Terminal, exit: ExitSlot): void {
  program
    .command("demo")
    .description(
      "Deliver a task on a little repository with honest and dishonest agents: real sandbox, tests and push.",
    )
    .option("--dir <dir>", "where to work (default: a new temporary directory)")
    .action(async (options: { dir?: string }) => {
      exit.code = await demo(terminal, options.dir ?? null);
    });
}

async function demo(terminal: Terminal, directory: string | null): Promise<number> {
  const home =
    directory === null ? await mkdtemp(path.join(os.tmpdir(), "trueup-demo-")) : path.resolve(terminal.cwd, directory);
  await mkdir(home, { recursive: true });
  const remote = await buildRemote(home);
  const inside: Terminal = { ...terminal, cwd: home, env: { ...terminal.env, TRUEUP_STATE: path.join(home, "state") } };
  await writeLine(terminal.stdout, `A little repository with a bug stands in ${remote}.`);
  const surprises: string[] = [];
  for (const [index, scene] of scenes.entries()) {
    await writeLine(terminal.stdout, `\n━━ ${index + 1}. ${scene.heading} ━━`);
    const result = await play(inside, { home, scene });
    await printResult(inside, result);
    surprises.push(...unexpected(scene, result));
  }
  const pulls = (await readdir(`${remote}.pulls`).catch(() => [])).filter((name) => /^\d+\.json$/u.test(name));
  if (pulls.length !== 1) surprises.push(`${pulls.length} pull requests were opened, one was expected`);
  surprises.push(...(await playSession(inside, home)));
  await printEnd(terminal, { home, remote, surprises });
  return surprises.length === 0 ? 0 : 1;
}

async function play(terminal: Terminal, stage: { home: string; scene: Scene }): Promise<DeliverResult> {
  const { home, scene } = stage;
  const template = await readFile(path.join(packageRoot(), "examples/tasks/collapse-spaces.md"), "utf8");
  const file = path.join(home, `task-${scene.agent}-${scene.title.length}.md`);
  await writeFile(file, template.replace(/^title: .*$/mu, `title: ${JSON.stringify(scene.title)}`));
  const agent = `scripted:${path.join(packageRoot(), "examples/agents", `${scene.agent}.json`)}`;
  const request = await readDeliverRequest(terminal, file, { agent, prefix: "trueup" });
  const ports = await createDeliverPorts(terminal, { quiet: false, agent: request.agent, url: request.deliver.url });
  return deliver(request.deliver, ports);
}

function unexpected(scene: Scene, result: DeliverResult): readonly string[] {
  const found = result.judged?.verdict.findings.map((finding) => finding.code) ?? [];
  const { status, finding } = scene.expect;
  return [
    ...(result.status === status ? [] : [`"${scene.heading}" ended as ${result.status}, expected ${status}`]),
    ...(finding === null || found.includes(finding) ? [] : [`"${scene.heading}" has no finding ${finding}`]),
  ];
}

/** The canary as a bare repository with one commit, as a forge would hold it. */
async function buildRemote(home: string): Promise<string> {
  const source = path.join(home, "slug-canary");
  const remote = path.join(home, "remote.git");
  await cp(path.join(packageRoot(), "examples/slug-canary"), source, {
    recursive: true,
    filter: (from) => !from.includes("node_modules"),
  });
  const env = { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  const git = (...argv: string[]): Promise<unknown> =>
    run("git", ["-c", "user.name=Demo", "-c", "user.email=demo@localhost", ...argv], { cwd: source, env });
  await git("init", "-q", "-b", "main");
  await git("add", "-A");
  await git("commit", "-q", "-m", "The slug library, with a bug");
  await git("clone", "-q", "--bare", ".", remote);
  return remote;
}

async function printEnd(
  terminal: Terminal,
  end: { home: string; remote: string; surprises: readonly string[] },
): Promise<void> {
  const lines = [
    "",
    `Everything lies in ${end.home}:`,
    `  remote.git          the branch: git -C ${end.remote} log --oneline --all`,
    `  remote.git.pulls/   the pull request, as a file`,
    `  state/attempts/*/out/   contract, patch, facts, verdict and report of each attempt`,
    "",
    "Try next:",
    `  npx trueup gate ${path.join(end.home, "state/attempts/<id>/out")}   decide again from the stored facts`,
    "  npx trueup doctor                       what this machine's sandbox holds",
    "  npx trueup check --contract FILE        judge a change in your own repository",
    "  npx trueup start TASK.md                a session: then `trueup run -- COMMAND`, `trueup gate`, `trueup log`",
    "  npx trueup deliver TASK.md              a task of your own",
    ...end.surprises.map((surprise) => `UNEXPECTED: ${surprise}`),
  ];
  for (const line of lines) await writeLine(terminal.stdout, line);
}
