import { parseCommand } from "./command-words.ts";
import { fetchingLaunchers, launcherTable, type LauncherRow } from "./launcher-table.ts";
import { checkRunnerArguments } from "./runner-arguments.ts";
import { runnerTable, type RunnerName, type RunnerRow } from "./runner-table.ts";

/** A test command the policy allows. */
export interface TestCommand {
  /** The launcher's words (`npx`, `npm exec`), or null when the runner is named directly. */
  readonly launcher: string | null;
  /** `script`: a script of the manifest, whose text decides; see `script`. */
  readonly runner: RunnerName | "script";
  /** The script's name when `runner` is `script`, else null. */
  readonly script: string | null;
  /** What is for the runner, as written, in order, without flags that mean nothing in the clean room (`--silent`). */
  readonly args: readonly string[];
  /** All words as declared. */
  readonly argv: readonly string[];
}

export type TestCommandResult =
  { readonly ok: true; readonly command: TestCommand } | { readonly ok: false; readonly reasons: readonly string[] };

/** Splits and checks a test command in one step. */
export function parseTestCommand(text: string): TestCommandResult {
  const split = parseCommand(text);
  return split.ok ? checkTestCommand(split.argv) : refuse(split.reason);
}

/**
 * Whether a command is one plain program: words without shell syntax that start neither a known runner nor a launcher. Of
 * such a program nothing but the exit code can be known.
 */
export function isPlainProgram(text: string): boolean {
  const split = parseCommand(text);
  if (!split.ok || split.argv.length === 0) return false;
  const { argv } = split;
  const fetching = fetchingLaunchers.some((words) => startsWith(argv, words));
  return !fetching && findRunner(argv) === null && findLauncher(argv) === null;
}

/**
 * Decides whether words are a test command: a known launcher or runner first, then only arguments of the runner's table.
 * Reporter, output, config and watch flags are ours; an unknown program or flag is refused, never passed on.
 */
export function checkTestCommand(argv: readonly string[]): TestCommandResult {
  const fetching = fetchingLaunchers.find((words) => startsWith(argv, words));
  if (fetching !== undefined)
    return refuse(`${fetching.join(" ")} fetches a program; nothing is fetched while a test runs`);
  const direct = findRunner(argv);
  if (direct !== null) return checkRunner(argv, null, direct);
  const launcher = findLauncher(argv);
  if (launcher === null) return refuse(unknownProgram(argv[0]));
  const rest = skipLauncherFlags(argv.slice(launcher.words.length), launcher);
  if (launcher.runs === "script") return checkScript(argv, launcher, rest);
  return checkProgram(argv, launcher, rest);
}

function refuse(...reasons: string[]): TestCommandResult {
  return { ok: false, reasons };
}

function startsWith(argv: readonly string[], words: readonly string[]): boolean {
  return words.every((word, index) => argv[index] === word);
}

function unknownProgram(word: string | undefined): string {
  const known = runnerTable.map((row) => (row.calls[0] ?? []).join(" ")).join(", ");
  const hint =
    word !== undefined && /[/\\]/u.test(word)
      ? "name the program without a directory"
      : `known: ${known}, or npx in front`;
  return `the runner ${JSON.stringify(word ?? "")} is not known; ${hint}`;
}

interface FoundRunner {
  readonly row: RunnerRow;
  readonly rest: readonly string[];
}

const installedAt = /^(?:\.\/)?node_modules\/\.bin\/|^\/(?:usr\/)?(?:local\/)?bin\//u;

/** The runner that the words start, by its name or by its usual place: the clean room runs its own binary of that name. */
function findRunner(words: readonly string[]): FoundRunner | null {
  const named = [(words[0] ?? "").replace(installedAt, ""), ...words.slice(1)];
  for (const row of runnerTable) {
    const call = row.calls.find((each) => startsWith(named, each));
    if (call !== undefined) return { row, rest: named.slice(call.length) };
  }
  return null;
}

function findLauncher(argv: readonly string[]): LauncherRow | null {
  const fitting = launcherTable.filter((row) => startsWith(argv, row.words));
  return fitting.toSorted((a, b) => b.words.length - a.words.length)[0] ?? null;
}

/** Leaves out the launcher's own harmless flags and one `--`, which ends them. */
function skipLauncherFlags(words: readonly string[], launcher: LauncherRow): readonly string[] {
  const end = words.findIndex((word) => !launcher.flags.includes(word));
  const rest = end === -1 ? [] : words.slice(end);
  return launcher.runs === "program" && rest[0] === "--" ? rest.slice(1) : rest;
}

function checkProgram(argv: readonly string[], launcher: LauncherRow, rest: readonly string[]): TestCommandResult {
  const name = launcher.words.join(" ");
  const first = rest[0];
  if (first === undefined) return refuse(`${name} names no runner`);
  if (first.startsWith("-"))
    return refuse(`the flag ${first} of ${name} is not allowed; name the runner right after ${name}`);
  const runner = findRunner(rest);
  if (runner !== null) return checkRunner(argv, name, runner);
  if (/^.+@/u.test(first))
    return refuse(`${first} names a version to fetch; the version comes from the committed lockfile`);
  const takesScripts = name === "yarn" || name === "pnpm" || name === "yarn run";
  if (takesScripts && /^test(?::[\w:.-]+)?$/u.test(first))
    return scriptCommand(argv, { launcher: name, script: first, rest: rest.slice(1) });
  return refuse(unknownProgram(first));
}

function checkRunner(argv: readonly string[], launcher: string | null, { row, rest }: FoundRunner): TestCommandResult {
  const checked = checkRunnerArguments(row, rest);
  if (!checked.ok) return { ok: false, reasons: checked.reasons };
  return { ok: true, command: { launcher, runner: row.name, script: null, args: checked.args, argv } };
}

function checkScript(argv: readonly string[], launcher: LauncherRow, rest: readonly string[]): TestCommandResult {
  const name = launcher.words.join(" ");
  if (launcher.script !== undefined) return scriptCommand(argv, { launcher: name, script: launcher.script, rest });
  const script = rest[0];
  if (script === undefined || script.startsWith("-")) return refuse(`${name} names no script`);
  return scriptCommand(argv, { launcher: name, script, rest: rest.slice(1) });
}

interface ScriptCall {
  readonly launcher: string;
  readonly script: string;
  readonly rest: readonly string[];
}

/** A script's arguments reach a runner we cannot see yet, so no flag is let through; one `--` in front of them is npm's. */
function scriptCommand(argv: readonly string[], { launcher, script, rest }: ScriptCall): TestCommandResult {
  const args = rest[0] === "--" ? rest.slice(1) : rest;
  const flag = args.find((word) => word.startsWith("-"));
  if (flag !== undefined) return refuse(`the flag ${flag} behind a script is not allowed; name the runner's command`);
  return { ok: true, command: { launcher, runner: "script", script, args, argv } };
}
