import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { mirrorPlace } from "../../src/adapters/git/cli/mirror-store.ts";
import type { Facts } from "../../src/core/facts/index.ts";
import type { Verdict } from "../../src/core/gate/verdict.ts";
import type { ForgeWorld, WorldText } from "../fakes/forge-world.ts";
import { startStubGithub, type StubGithub } from "../fakes/stub-github.ts";
import { blocksOf, plainGit, writeFiles, type Files } from "./pipeline-stage.ts";

const root = path.join(import.meta.dirname, "../..");

/** When every pull request of the recorded events was opened. */
const opened = "2026-03-01T12:00:00Z";

/** How one job of the Action ended. */
export interface Job {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly verdict: Verdict | null;
  readonly facts: Facts | null;
  /** `code subject` of what blocks, and of what is not determined, each sorted. */
  readonly blocks: readonly string[];
  readonly open: readonly string[];
  /** What the step wrote for its summary and its outputs. */
  readonly summary: string;
  readonly outputs: string;
}

export interface JobOptions {
  /** Name of a recorded event. */
  readonly event: "same-repository" | "fork" | "agent" | "merge-group";
  readonly base: string;
  readonly head: string;
  /** The commit that is checked out; the head unless given. */
  readonly checkout?: string;
  /** What stands in the work tree beside the checkout. */
  readonly beside?: Files;
  readonly eventName?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A repository, a forge, and the Action's own entry as a process of its own for each job. */
export interface CiStage extends AsyncDisposable {
  readonly github: StubGithub;
  /** The first commit. */
  readonly base: string;
  /** A commit with these files on top of another. */
  commit(on: string, files: Files): string;
  /** The merge of a commit into another, as the forge makes it. */
  merge(into: string, head: string): string;
  /** Texts of issues, and of the pull requests of all recorded events. */
  say(texts: {
    readonly issues?: Readonly<Record<number, readonly WorldText[]>>;
    readonly pull?: readonly WorldText[];
  }): void;
  run(options: JobOptions): Promise<Job>;
}

/** A text from before the pull request was opened, at its opening, and after it. */
export const said = {
  before: (text: string, by = "ada"): WorldText => ({ at: "2026-02-01T12:00:00Z", by, text }),
  opening: (text: string, by = "ada"): WorldText => ({ at: opened, by, text }),
  after: (text: string, by = "ada"): WorldText => ({ at: "2026-03-02T12:00:00Z", by, text }),
};

/** An issue's text with its acceptance block. */
export function issueText(contract: unknown, words = "Runs of spaces give one hyphen."): string {
  return `${words}\n\n\`\`\`acceptance\n${JSON.stringify(contract, null, 2)}\n\`\`\`\n`;
}

const people: ForgeWorld = {
  repository: "acme/slug",
  accounts: [
    { name: "ada", kind: "person", permission: "write" },
    { name: "grace", kind: "person", permission: "write" },
    { name: "eve", kind: "person", permission: "less" },
    { name: "builder[bot]", kind: "bot", permission: "write" },
  ],
  issues: [],
  pulls: [],
};

/** Opens a stage over `files`; `entry` is the Action's program, its source unless given. */
export async function openCiStage(files: Files, entry = "src/entry/action/main.ts"): Promise<CiStage> {
  const home = mkdtempSync(path.join(tmpdir(), "trueup-ci-"));
  const origin = path.join(home, "origin");
  const cache = process.env["TRUEUP_CACHE"] ?? path.join(home, "cache");
  const github = await startStubGithub(people);
  const checkouts: string[] = [];
  const git = (...args: readonly string[]): string => plainGit(origin, ...args).trim();
  plainGit(home, "init", "-q", "-b", "main", origin);
  const commit: CiStage["commit"] = (on, changed) => {
    if (on !== "") git("checkout", "-q", "--detach", on);
    writeFiles(origin, changed);
    git("add", "-A", "-f");
    git("commit", "-q", "--allow-empty", "-m", "work");
    const id = git("rev-parse", "HEAD");
    // A branch keeps it, as the forge keeps every head.
    git("branch", "-f", `kept-${id}`, id);
    return id;
  };
  const base = commit("", files);

  async function run(options: JobOptions): Promise<Job> {
    const at = path.join(home, `job-${checkouts.length}`);
    const work = path.join(at, "work");
    checkouts.push(work);
    plainGit(home, "clone", "-q", "--no-local", origin, work);
    plainGit(work, "checkout", "-q", "--detach", options.checkout ?? options.head);
    writeFiles(work, options.beside ?? {});
    const recorded = readFileSync(path.join(root, "test/fixtures/github-events", `${options.event}.json`), "utf8");
    const files = {
      event: path.join(at, "event.json"),
      summary: path.join(at, "summary.md"),
      outputs: path.join(at, "outputs"),
    };
    writeFileSync(files.event, recorded.replaceAll("BASE", options.base).replaceAll("HEAD", options.head));
    for (const file of [files.summary, files.outputs]) writeFileSync(file, "");
    const env = {
      PATH: process.env["PATH"] ?? "",
      HOME: at,
      TRUEUP_STATE: path.join(at, "state"),
      TRUEUP_CACHE: cache,
      GITHUB_ACTIONS: "true",
      GITHUB_WORKSPACE: work,
      GITHUB_EVENT_NAME: options.eventName ?? (options.event === "merge-group" ? "merge_group" : "pull_request"),
      GITHUB_EVENT_PATH: files.event,
      GITHUB_STEP_SUMMARY: files.summary,
      GITHUB_OUTPUT: files.outputs,
      GITHUB_SHA: options.checkout ?? options.head,
      GITHUB_API_URL: github.api,
      GITHUB_GRAPHQL_URL: github.graphql,
      INPUT_TOKEN: "read-only",
      ...options.env,
    };
    const ended = await startAction(path.resolve(root, entry), env);
    const outputs = readFileSync(files.outputs, "utf8");
    const artifacts = /^artifacts=(.*)$/mu.exec(outputs)?.[1] ?? null;
    const read = <T>(name: string): T | null =>
      artifacts === null ? null : (JSON.parse(readFileSync(path.join(artifacts, name), "utf8")) as T);
    const verdict = read<Verdict>("verdict.json");
    const open = verdict?.findings.filter(({ severity }) => severity === "undetermined") ?? [];
    return {
      ...ended,
      verdict,
      facts: read<Facts>("facts.json"),
      blocks: blocksOf(verdict),
      open: open.map(({ code, subject }) => `${code} ${subject}`.trim()).toSorted(),
      summary: readFileSync(files.summary, "utf8"),
      outputs,
    };
  }

  return {
    github,
    base,
    commit,
    merge(into, head) {
      git("checkout", "-q", "--detach", into);
      git("merge", "-q", "--no-ff", "-m", "merge", head);
      const id = git("rev-parse", "HEAD");
      git("branch", "-f", `kept-${id}`, id);
      return id;
    },
    say({ issues = {}, pull = [said.opening("closes #1")] }) {
      github.world = {
        ...people,
        issues: Object.entries(issues).map(([number, texts]) => ({ number: Number(number), texts })),
        pulls: [10, 11, 12].map((number) => ({ number, texts: pull })),
      };
    },
    run,
    async [Symbol.asyncDispose]() {
      await github[Symbol.asyncDispose]();
      for (const work of checkouts) {
        const place = mirrorPlace(cache, work);
        for (const left of [place.directory, place.lock]) rmSync(left, { recursive: true, force: true });
      }
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function startAction(
  entry: string,
  env: Readonly<Record<string, string>>,
): Promise<Pick<Job, "exit" | "stdout" | "stderr">> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [entry],
      { env, cwd: "/", maxBuffer: 2 ** 26 },
      (_error, stdout, stderr) => {
        resolve({ exit: child.exitCode ?? -1, stdout, stderr });
      },
    );
  });
}
