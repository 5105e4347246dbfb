import { refusedFlagKinds, type FlagRow, type RunnerRow } from "./runner-table.ts";

/** The runner's arguments with dropped flags left out, or why they are refused. */
export type RunnerArgumentsResult =
  { readonly ok: true; readonly args: readonly string[] } | { readonly ok: false; readonly reasons: readonly string[] };

interface Walk {
  readonly row: RunnerRow;
  readonly words: readonly string[];
  readonly args: string[];
  readonly reasons: string[];
  positionals: number;
  at: number;
}

/** Checks every word after the runner's name against its table. What the table does not name is refused. */
export function checkRunnerArguments(row: RunnerRow, words: readonly string[]): RunnerArgumentsResult {
  const walk: Walk = { row, words, args: [], reasons: [], positionals: 0, at: 0 };
  while (walk.at < words.length) takeWord(walk, words[walk.at] ?? "");
  return walk.reasons.length === 0 ? { ok: true, args: walk.args } : { ok: false, reasons: walk.reasons };
}

function takeWord(walk: Walk, word: string): void {
  walk.at += 1;
  if (word === "--") walk.reasons.push("-- is not allowed: the runner would ignore the flags we add after it");
  else if (word.startsWith("-")) takeFlag(walk, word);
  else takePositional(walk, word);
}

function takePositional(walk: Walk, word: string): void {
  const { allowed, refused } = walk.row.subcommands;
  const fault =
    walk.positionals === 0 && refused.includes(word) ? `the subcommand ${word} is not allowed` : positionalFault(word);
  const misplaced = walk.positionals === 0 && allowed.includes(word) && walk.args.length > 0;
  walk.positionals += 1;
  if (fault !== null) walk.reasons.push(fault);
  else if (misplaced) walk.reasons.push(`the subcommand ${word} must come right after ${walk.row.name}`);
  else walk.args.push(word);
}

function positionalFault(word: string): string | null {
  if (word === "") return "an argument is empty";
  if (word.startsWith("/") || /^[A-Za-z]:[\\/]/u.test(word)) return `${word} is an absolute path`;
  if (/^[a-z][a-z0-9+.-]*:\/\//iu.test(word)) return `${word} is an address, not a path`;
  return word.split(/[/\\]/u).includes("..") ? `${word} leaves the repository` : null;
}

function takeFlag(walk: Walk, word: string): void {
  const equals = word.indexOf("=");
  const name = spell(walk.row, equals === -1 ? word : word.slice(0, equals));
  const given = equals === -1 ? null : word.slice(equals + 1);
  const whole = given === null ? null : findFlag(walk.row, `${name}=${given}`);
  const flag = whole ?? findFlag(walk.row, name);
  if (flag === null) walk.reasons.push(`${word} is not allowed with ${walk.row.name}: ${refusalOf(name)}`);
  else if (whole !== null || flag.takes === "bare")
    takeBare(walk, word, { flag, given: whole === null ? given : null });
  else takeValue(walk, word, { flag, given });
}

function takeBare(walk: Walk, word: string, { flag, given }: { flag: FlagRow; given: string | null }): void {
  if (given !== null && given !== "true") walk.reasons.push(`${word} is not allowed: the flag takes no value`);
  else if (flag.dropped !== true) walk.args.push(word);
}

/** A value never begins with `-`: some parsers would read it as the next flag. */
function takeValue(walk: Walk, word: string, { flag, given }: { flag: FlagRow; given: string | null }): void {
  const value = given ?? walk.words[walk.at];
  if (given === null) walk.at += 1;
  if (value === undefined || value === "") walk.reasons.push(`${word} needs a value`);
  else if (given === null && value.startsWith("-"))
    walk.reasons.push(`${word} needs a value that does not begin with -`);
  else if (flag.takes === "choice" && flag.choices?.includes(value) !== true) {
    walk.reasons.push(`${word} must be one of ${flag.choices?.join(", ") ?? ""}, not ${value}`);
  } else walk.args.push(word, ...(given === null ? [value] : []));
}

function findFlag(row: RunnerRow, name: string): FlagRow | null {
  return row.flags.find((flag) => flag.names.includes(name)) ?? null;
}

/** One spelling for all that the runner's parser takes as the same flag: `--test-name-pattern` is `--testNamePattern`. */
function spell(row: RunnerRow, name: string): string {
  if (row.spelling === "exact" || !name.startsWith("--")) return name;
  return `--${name.slice(2).replace(/-([a-z])/gu, (_all, letter: string) => letter.toUpperCase())}`;
}

function refusalOf(name: string): string {
  const plain = name.replace(/^-+/u, "");
  const without = plain.replace(/^no-?(?=[a-z]{3}|[A-Z])/u, "");
  const kind = refusedFlagKinds.find(({ pattern }) => pattern.test(plain) || pattern.test(without));
  return kind?.why ?? "it is not in the list of flags a contract may use";
}
