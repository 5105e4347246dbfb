import { execFileSync, spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createUuidIds } from "../../src/adapters/machine/node/uuid-ids.ts";
import { createSessionStore } from "../../src/adapters/session-store/files/session-store.ts";
import { contractDigest, type AcceptanceContract } from "../../src/core/contract/index.ts";
import type { CommandRecord } from "../../src/core/record/index.ts";
import type { Session } from "../../src/ports/index.ts";

export const program = path.join(import.meta.dirname, "..", "..", "bin", "trueup.js");
const clock = { now: () => Date.now() };

/** How a real `trueup` ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface StartOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** A work tree with an open session, and the real program over it. */
export interface SessionStage extends Disposable {
  readonly root: string;
  readonly workTree: string;
  readonly state: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Opens a session without git: a base is pinned, nobody asks for it here. */
  open(contract?: AcceptanceContract): Promise<Session>;
  directoryOf(session: Session): string;
  start(args: readonly string[], options?: StartOptions): ChildProcessWithoutNullStreams;
  trueup(args: readonly string[], options?: StartOptions): Promise<Ended>;
  /** `trueup run -- argv`. */
  run(argv: readonly string[], flags?: readonly string[], options?: StartOptions): Promise<Ended>;
  /** Every record of a session, in order. */
  records(session: Session): readonly CommandRecord[];
  git(...args: readonly string[]): string;
}

export function openSessionStage(): SessionStage {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "trueup-session-")));
  const [workTree, state] = [path.join(root, "tree"), path.join(root, "state")];
  const environment = {
    PATH: `${path.dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
    HOME: path.join(root, "home"),
    TRUEUP_STATE: state,
    TRUEUP_CACHE: path.join(root, "cache"),
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_SYSTEM: "/dev/null",
    // Compiled once for all tests; every stage has a cache of its own otherwise.
    NODE_COMPILE_CACHE: path.join(import.meta.dirname, "..", "..", ".cache", "test", "compiled"),
  };
  mkdirSync(state, { mode: 0o700 });
  mkdirSync(workTree);
  const git: SessionStage["git"] = (...args) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.invalid", ...args], {
      cwd: workTree,
      env: environment,
      encoding: "utf8",
    });
  git("init", "-q", "-b", "main");
  writeFileSync(path.join(workTree, "file.txt"), "base\n");
  git("add", "-A");
  git("commit", "-q", "-m", "base");
  const sessions = createSessionStore({ state, clock, ids: createUuidIds(clock) });
  const start: SessionStage["start"] = (args, options = {}) => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: options.cwd ?? workTree,
      env: { ...environment, ...options.env },
    });
    child.stdin.on("error", () => undefined);
    child.stdin.end(options.input ?? "");
    return child;
  };
  const trueup: SessionStage["trueup"] = (args, options) => endOf(start(args, options));
  return {
    root,
    workTree,
    state,
    environment,
    git,
    start,
    trueup,
    open: (contract) =>
      sessions.start(
        {
          work_tree: workTree,
          base: { commit: "0".repeat(40), tree: "0".repeat(40), ref: "HEAD", source: "HEAD" },
          contract: contract ?? null,
          contract_digest: contract === undefined ? null : contractDigest(contract),
          policy: { failed_records: "retries" },
        },
        ["file.txt"],
      ),
    directoryOf: (session) => sessions.directoryOf(session.id),
    run: (argv, flags = [], options) => trueup(["run", ...flags, "--", ...argv], options),
    records: (session) => readRecords(sessions.directoryOf(session.id)),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Waits for a real program's end, with all it said. */
export async function endOf(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  const output: Record<"stdout" | "stderr", Buffer[]> = { stdout: [], stderr: [] };
  child.stdout.on("data", (chunk: Buffer) => output.stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => output.stderr.push(chunk));
  return new Promise((resolve) => {
    child.on("close", (code, signal) => {
      const stderr = Buffer.concat(output.stderr).toString("utf8");
      resolve({ code, signal, stdout: Buffer.concat(output.stdout), stderr });
    });
  });
}

/** Waits for a condition, however busy the machine is; the test's own time limit ends it otherwise. */
export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await delay(10);
}

/** Whether a process lives; one that only waits to be reaped does not. */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !/^[ZX]/u.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch {
    return false;
  }
}

/** The pid a command of a test wrote to a file; 0 while it has not. */
export function pidIn(file: string): number {
  return existsSync(file) ? Number(readFileSync(file, "utf8").trim()) : 0;
}

function readRecords(directory: string): readonly CommandRecord[] {
  const names = readdirSync(directory).filter((name) => /^records(?:\.\d+)?\.jsonl$/u.test(name));
  const number = (name: string): number => Number(/\d+/u.exec(name)?.[0] ?? Number.MAX_SAFE_INTEGER);
  return names
    .toSorted((a, b) => number(a) - number(b))
    .flatMap((name) => readFileSync(path.join(directory, name), "utf8").split("\n"))
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as CommandRecord);
}
