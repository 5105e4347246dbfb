import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createGitCli } from "../../src/adapters/git/cli/index.ts";
import type { CapturedTree, CommitRef, Git, Mirror } from "../../src/ports/index.ts";
import type { ChangeFacts } from "../../src/core/facts/index.ts";

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

/** Files by path: text, bytes, or null for one that goes. A path may be given as bytes, one character a byte, after `latin1:`. */
export type Files = Readonly<Record<string, string | Uint8Array | null>>;

/** A directory of its own with a user's repository, our cache, and what a test needs of git. */
export interface GitStage extends Disposable {
  readonly root: string;
  readonly repository: string;
  readonly cache: string;
  readonly git: Git;
  /** Plain git, as a user or an attacker runs it. */
  run(cwd: string, ...args: readonly string[]): string;
  write(directory: string, files: Files): void;
  /** Commits everything in the user's repository and returns the commit. */
  commit(files: Files, message?: string): string;
  /** A mirror of the repository, its HEAD, and a room with HEAD's files. */
  open(): Promise<Opened>;
}

export interface Opened {
  readonly mirror: Mirror;
  readonly base: CommitRef;
  readonly room: string;
  /** Captures the room and measures it. */
  facts(pairs?: readonly { path: string; text: string }[]): Promise<ChangeFacts & { readonly captured: CapturedTree }>;
}

export function openGitStage(options: { readonly objectFormat?: string; readonly files?: Files } = {}): GitStage {
  const root = mkdtempSync(path.join(tmpdir(), "trueup-git-"));
  const repository = path.join(root, "repository");
  const cache = path.join(root, "cache");
  const git = createGitCli({ cacheDirectory: cache });
  let rooms = 0;
  const run: GitStage["run"] = (cwd, ...args) =>
    execFileSync("git", args, {
      cwd,
      env: environment,
      encoding: "latin1",
      maxBuffer: 2 ** 28,
      stdio: ["ignore", "pipe", "pipe"],
    });
  const commit: GitStage["commit"] = (files, message = "change") => {
    writeFiles(repository, files);
    run(repository, "add", "-A", "-f");
    run(repository, "commit", "-q", "--allow-empty", "-m", message);
    return run(repository, "rev-parse", "HEAD").trim();
  };
  run(root, "init", "-q", "-b", "main", `--object-format=${options.objectFormat ?? "sha1"}`, repository);
  if (options.files !== undefined) commit(options.files, "base");
  return {
    root,
    repository,
    cache,
    git,
    run,
    write: writeFiles,
    commit,
    async open() {
      const { mirror } = await git.openMirror(repository);
      const base = await mirror.resolve("HEAD");
      const room = path.join(root, `room${rooms++}`);
      await mirror.materialize(base.tree, room);
      return { mirror, base, room, facts: (pairs = []) => measure(mirror, { base, room }, pairs) };
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

async function measure(
  mirror: Mirror,
  { base, room }: { readonly base: CommitRef; readonly room: string },
  pairs: readonly { path: string; text: string }[],
): ReturnType<Opened["facts"]> {
  const captured = await mirror.captureDirectory(room, base);
  return { ...(await mirror.changeFacts(base, captured, pairs)), captured };
}

function writeFiles(directory: string, files: Files): void {
  const made = new Set<string>();
  for (const [name, content] of Object.entries(files)) {
    const bytes = name.startsWith("latin1:")
      ? Buffer.from(`${directory}/${name.slice(7)}`, "latin1")
      : Buffer.from(`${directory}/${name}`);
    if (content === null) {
      rmSync(bytes.toString(), { recursive: true });
      continue;
    }
    const parent = path.dirname(`${directory}/${name}`.replace("latin1:", ""));
    if (!made.has(parent)) mkdirSync(parent, { recursive: true });
    made.add(parent);
    writeFileSync(bytes, content);
    chmodSync(bytes, 0o644);
  }
}

/** Paths of the changed entries, for short expectations. */
export function changedPaths(facts: ChangeFacts): readonly string[] {
  return facts.entries.map((entry) => entry.path);
}

/** Kinds and paths of the hazards. */
export function dangers(facts: ChangeFacts): readonly string[] {
  return facts.hazards.map((hazard) => `${hazard.kind} ${hazard.path}`);
}
