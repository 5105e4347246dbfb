import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Writable } from "node:stream";
import { expect } from "vitest";
import { errorTable, type ErrorCode } from "../../src/error-table.ts";
import { runCli } from "../../src/entry/cli/run-cli.ts";
import { plainGit, writeFiles, type Files } from "./pipeline-stage.ts";

/** What one command line left behind, whether in this process or in one of its own. */
export interface Ended {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** A directory of its own with state, cache, and as many repositories as a test needs. Nothing in it needs a sandbox. */
export interface Stage extends Disposable {
  readonly home: string;
  readonly state: string;
  readonly cache: string;
  readonly env: Environment;
  path(...names: readonly string[]): string;
  write(files: Files): void;
  /** A repository with these files committed; `change` is written into its work tree afterwards. */
  repository(name: string, base: Files, change?: Files): string;
  /** A directory for `PATH` that holds links to these programs and these scripts. */
  programs(links: readonly string[], scripts?: Readonly<Record<string, string>>): string;
  /** Whether permissions bind this process at all. */
  readonly asRoot: boolean;
  run(cwd: string, argv: readonly string[], env?: Environment): Promise<Ended>;
}

/** The program that a newcomer runs. */
export const bin = path.join(import.meta.dirname, "../../bin/trueup.js");
export const isRoot = process.geteuid?.() === 0;

/** Opens a stage whose `PATH` has git and no sandbox: what needs none is judged without, and quickly. */
export function openStage(): Stage {
  const home = mkdtempSync(path.join(tmpdir(), "trueup-bad-input-"));
  const at = (...names: readonly string[]): string => path.join(home, ...names);
  const programs = (links: readonly string[], scripts: Readonly<Record<string, string>> = {}): string => {
    const directory = mkdtempSync(at("programs-"));
    for (const name of links) symlinkSync(findProgram(name), path.join(directory, name));
    for (const [name, text] of Object.entries(scripts))
      writeFileSync(path.join(directory, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    return directory;
  };
  const env = {
    ...process.env,
    HOME: at("home"),
    TRUEUP_STATE: at("state"),
    TRUEUP_CACHE: at("cache"),
    PATH: programs(["git", "sh"]),
  };
  mkdirSync(at("home"));
  return {
    asRoot: isRoot,
    home,
    state: at("state"),
    cache: at("cache"),
    env,
    path: at,
    write: (files) => writeFiles(home, files),
    repository(name, base, change = {}) {
      plainGit(home, "init", "-q", "-b", "main", name);
      writeFiles(at(name), base);
      plainGit(at(name), "add", "-A", "-f");
      plainGit(at(name), "commit", "-q", "--allow-empty", "-m", "base");
      writeFiles(at(name), change);
      return at(name);
    },
    programs,
    run: (cwd, argv, more = {}) => runHere(argv, cwd, { ...env, ...more }),
    [Symbol.dispose]() {
      for (const entry of readdirSync(home, { withFileTypes: true }))
        if (entry.isDirectory()) chmodSync(at(entry.name), 0o700);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** The first program of that name on this machine's own `PATH`. */
export function findProgram(name: string): string {
  const found = spawnSync("sh", ["-c", 'command -v "$1"', "sh", name], { encoding: "utf8" }).stdout.trim();
  if (found === "") throw new Error(`this test needs ${name}`);
  return found;
}

async function runHere(argv: readonly string[], cwd: string, env: Environment): Promise<Ended> {
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  const sink = (chunks: Buffer[]): Writable =>
    new Writable({ write: (chunk: Buffer, _encoding, done) => (chunks.push(Buffer.from(chunk)), done()) });
  const [stdout, stderr] = [sink(out), sink(err)];
  const exit = await runCli(argv, { stdout, stderr, env, cwd, signal: new AbortController().signal });
  return { exit, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() };
}

/** Runs the real program in a process of its own, behind `before` where given. */
export function runProcess(
  argv: readonly string[],
  options: { readonly cwd: string; readonly env: Environment; readonly before?: readonly string[] },
): Ended {
  const words = [...(options.before ?? []), process.execPath, bin, ...argv];
  const [program = "", ...rest] = words;
  const { cwd, env } = options;
  const { status, stdout, stderr } = spawnSync(program, rest, { cwd, env: { ...env }, encoding: "utf8", input: "" });
  return { exit: status, stdout, stderr };
}

/** What a person sees of a refusal: what and why, then what to do; never a stack, never a verdict. */
export function expectRefusal(ended: Ended, wanted: { code: ErrorCode; says?: RegExp; hint?: RegExp }): void {
  const { code, says = /./u, hint = /./u } = wanted;
  const told = ended.stderr.split("\n").filter((line) => line !== "" && !/^(?:▸|✓|✗|  ·)/u.test(line));
  expect(told).toHaveLength(2);
  const [what = "", next = ""] = told;
  expect(what).toMatch(
    new RegExp(`^trueup: .*${errorTable[code].message.replace(/[().]/gu, ".")}.* \\[${code}\\]$`, "u"),
  );
  expect(what).toMatch(says);
  expect(next).toMatch(/^ {2}\S.*[.:]$/u);
  expect(next).toMatch(hint);
  expect(ended.stdout).toBe("");
  expect(ended.exit).toBe(exitOf(code));
}

/** The same for `--json`: exactly one object on standard output. */
export function expectJsonRefusal(ended: Ended, code: ErrorCode): void {
  const lines = ended.stdout.split("\n");
  expect(lines).toHaveLength(2);
  const { error } = JSON.parse(lines[0] ?? "") as { error: Record<string, unknown> };
  expect(Object.keys(error).toSorted()).toEqual(["category", "code", "hint", "message", "retryable"]);
  expect(error["code"]).toBe(code);
  expect(error["hint"]).toMatch(/\.$/u);
  expect(ended.exit).toBe(exitOf(code));
}

/** 3 for what could not be determined, 2 for usage, configuration and environment. */
function exitOf(code: ErrorCode): 2 | 3 {
  return errorTable[code].category === "integrity" ? 3 : 2;
}

/** Files that a stop must not leave: drafts and parts. */
export function halfWritten(directory: string): readonly string[] {
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" });
  return names.filter((name) => /\.(?:part|tmp|new)$|(?:^|\/)\.new-/u.test(name));
}
