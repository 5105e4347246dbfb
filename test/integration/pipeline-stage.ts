import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Writable } from "node:stream";
import { readPullRequests } from "../../src/adapters/forge/local/pull-request-directory.ts";
import type { PullRequestFile } from "../../src/adapters/forge/local/pull-request-file.ts";
import { mirrorPlace } from "../../src/adapters/git/cli/mirror-store.ts";
import type { AgentScript } from "../../src/adapters/agent/scripted/agent-script.ts";
import type { Facts } from "../../src/core/facts/index.ts";
import type { Verdict } from "../../src/core/gate/verdict.ts";
import type { Terminal } from "../../src/entry/cli/terminal.ts";
import { runCli } from "../../src/entry/cli/run-cli.ts";

/** Files by path; null for one that is not there. */
export type Files = Readonly<Record<string, string | Uint8Array | null>>;
export type Step = AgentScript["steps"][number];
export type Contract = Readonly<Record<string, unknown>>;

/** What one command line left: exit code, streams, and the one JSON object of `--json`. */
export interface Ran {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The code of the error that ended it, or null. */
  readonly error: string | null;
  readonly verdict: Verdict | null;
  /** `code subject` of every blocking finding, sorted. */
  readonly blocks: readonly string[];
  readonly answer: Readonly<Record<string, unknown>>;
  /** An artifact as text, or null when there is none. */
  artifact(name: string): string | null;
  facts(): Facts;
}

/** One run of `trueup deliver` to its end. */
export interface Delivered extends Ran {
  readonly status: string | null;
  readonly branch: string | null;
  readonly commit: string | null;
  readonly out: string;
}

export interface DeliverOptions {
  readonly steps?: readonly Step[];
  /** Instead of steps: an agent as `--agent` takes it. */
  readonly agent?: string;
  /** Null: a task without a contract. */
  readonly contract: Contract | null;
  readonly title?: string;
  /** Further keys of the JSON task. */
  readonly task?: Readonly<Record<string, unknown>>;
  /** Instead of the above: the whole Markdown task. */
  readonly markdown?: string;
  readonly flags?: readonly string[];
  /** Another repository than the stage's own remote. */
  readonly repo?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface CheckOptions {
  readonly directory: string;
  readonly contract?: Contract;
  readonly flags?: readonly string[];
}

/** A repository, its bare remote and a state directory of their own; cache and ports are those of the command line. */
export interface Pipeline extends Disposable {
  readonly home: string;
  readonly remote: string;
  readonly state: string;
  /** Writes files below the stage's home, executable. */
  write(files: Files): void;
  /** Plain git of the person who owns the remote, in `cwd`. */
  git(cwd: string, ...args: readonly string[]): string;
  /** A clone of the remote where a person works. */
  clone(name: string): string;
  run(cwd: string, argv: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ran>;
  deliver(options: DeliverOptions): Promise<Delivered>;
  check(options: CheckOptions): Promise<Ran>;
  /** Names and ids of the remote's refs. */
  refs(): Readonly<Record<string, string>>;
  pulls(): Promise<readonly PullRequestFile[]>;
}

const environment = {
  PATH: process.env["PATH"] ?? "",
  HOME: "/nonexistent",
  LC_ALL: "C",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.invalid",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.invalid",
  GIT_AUTHOR_DATE: "1700000000 +0000",
  GIT_COMMITTER_DATE: "1700000000 +0000",
};

/** Plain git, with an identity and dates that never change. */
export function plainGit(cwd: string, ...args: readonly string[]): string {
  return execFileSync("git", args, {
    cwd,
    env: environment,
    encoding: "latin1",
    maxBuffer: 2 ** 28,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Writes files below a directory; null removes one. */
export function writeFiles(directory: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(directory, name);
    if (content === null) {
      rmSync(file, { recursive: true });
      continue;
    }
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

/** A step that runs shell text inside the sandbox, where git and the usual programs are. */
export function sh(text: string): Step {
  return { run: ["/bin/sh", "-c", text] };
}

function sink(): { readonly stream: Writable; text(): string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString("utf8") };
}

function parseAnswer(stdout: string): Record<string, unknown> {
  const lines = stdout.split("\n").filter((line) => line.startsWith("{"));
  return lines.length === 0 ? {} : (JSON.parse(lines.at(-1) ?? "{}") as Record<string, unknown>);
}

/** `code subject` of the blocking findings of a verdict, sorted. */
export function blocksOf(verdict: Verdict | null): readonly string[] {
  const blocking = verdict?.findings.filter((one) => one.severity === "block") ?? [];
  return [...new Set(blocking.map((one) => `${one.code} ${one.subject}`.trim()))].toSorted();
}

function readArtifact(directory: string, name: string): string | null {
  const file = path.join(directory, name);
  return directory !== "" && existsSync(file) ? readFileSync(file, "utf8") : null;
}

/** Runs one command line through the real entry, in this process, with streams of its own. */
async function runLine(argv: readonly string[], at: { cwd: string; env: Terminal["env"] }): Promise<Ran> {
  const [stdout, stderr] = [sink(), sink()];
  const signal = new AbortController().signal;
  const exit = await runCli(argv, { stdout: stdout.stream, stderr: stderr.stream, ...at, signal });
  const answer = parseAnswer(stdout.text());
  const verdict = (answer["verdict"] ?? null) as Verdict | null;
  const out = (answer["outDirectory"] ?? answer["artifacts"] ?? "") as string;
  const artifact = (name: string): string | null => readArtifact(out, name);
  return {
    exit,
    stdout: stdout.text(),
    stderr: stderr.text(),
    error: (answer["error"] as { code?: string } | undefined)?.code ?? null,
    verdict,
    blocks: blocksOf(verdict),
    answer,
    artifact,
    facts: () => JSON.parse(artifact("facts.json") ?? "null") as Facts,
  };
}

function buildRemote(home: string, base: Files): string {
  const source = path.join(home, "source");
  const remote = path.join(home, "remote.git");
  plainGit(home, "init", "-q", "-b", "main", source);
  writeFiles(source, base);
  plainGit(source, "add", "-A", "-f");
  plainGit(source, "commit", "-q", "--allow-empty", "-m", "base");
  plainGit(home, "clone", "-q", "--bare", source, remote);
  return remote;
}

function readRefs(remote: string): Readonly<Record<string, string>> {
  const lines = plainGit(remote, "for-each-ref", "--format=%(refname) %(objectname)").split("\n");
  return Object.fromEntries(lines.filter((line) => line !== "").map((line) => line.split(" ") as [string, string]));
}

function writeTask(home: string, remote: string, options: DeliverOptions & { readonly name: string }): string {
  const file = path.join(home, `${options.name}.${options.markdown === undefined ? "json" : "md"}`);
  const { contract, title = options.name, task = {} } = options;
  const json = {
    title,
    repo: options.repo ?? remote,
    prompt: "Do what the title says.",
    ...task,
    ...(contract === null ? {} : { contract }),
  };
  writeFileSync(file, options.markdown ?? JSON.stringify(json));
  return file;
}

function writeScript(home: string, name: string, steps: readonly Step[]): string {
  const file = path.join(home, `${name}.agent.json`);
  writeFileSync(file, JSON.stringify({ version: 1, steps }));
  return `scripted:${file}`;
}

/** Opens a stage over `base`. Dispose it: it also drops what its remote left in the shared cache. */
export function openPipeline(base: Files): Pipeline {
  const home = mkdtempSync(path.join(tmpdir(), "trueup-pipeline-"));
  const state = path.join(home, "state");
  const cache = process.env["TRUEUP_CACHE"] ?? path.join(home, "cache");
  const remote = buildRemote(home, base);
  const mirrored = new Set([remote]);
  const env = { ...process.env, TRUEUP_STATE: state, TRUEUP_CACHE: cache };
  let runs = 0;
  const run: Pipeline["run"] = (cwd, argv, more = {}) => runLine(argv, { cwd, env: { ...env, ...more } });

  const deliver: Pipeline["deliver"] = async (options) => {
    const name = `task-${(runs += 1)}`;
    const file = writeTask(home, remote, { ...options, name });
    mirrored.add(options.repo ?? remote);
    const agent = options.agent ?? writeScript(home, name, options.steps ?? []);
    const ran = await run(home, ["deliver", file, "--agent", agent, "--json", ...(options.flags ?? [])], options.env);
    const text = (key: string): string | null => (ran.answer[key] ?? null) as string | null;
    const out = text("outDirectory") ?? "";
    return { ...ran, status: text("status"), branch: text("branch"), commit: text("commit"), out };
  };

  const check: Pipeline["check"] = (options) => {
    const file = path.join(home, `contract-${(runs += 1)}.json`);
    if (options.contract !== undefined) writeFileSync(file, JSON.stringify(options.contract));
    mirrored.add(options.directory);
    const contract = options.contract === undefined ? [] : ["--contract", file];
    return run(options.directory, ["check", "--json", ...contract, ...(options.flags ?? [])]);
  };

  return {
    home,
    remote,
    state,
    git: plainGit,
    write(files) {
      writeFiles(home, files);
      for (const name of Object.keys(files)) chmodSync(path.join(home, name), 0o755);
    },
    run,
    deliver,
    check,
    refs: () => readRefs(remote),
    pulls: () => readPullRequests(remote),
    clone(name) {
      plainGit(home, "clone", "-q", remote, name);
      return path.join(home, name);
    },
    [Symbol.dispose]() {
      for (const url of mirrored) {
        const place = mirrorPlace(cache, url);
        for (const left of [place.directory, place.lock]) rmSync(left, { recursive: true, force: true });
      }
      rmSync(home, { recursive: true, force: true });
    },
  };
}
