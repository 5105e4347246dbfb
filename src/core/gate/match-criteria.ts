import { parseCommand } from "../contract/command-words.ts";
import { expandProjects } from "../contract/expand-projects.ts";
import { launcherTable } from "../contract/launcher-table.ts";
import type { AcceptanceContract } from "../contract/schema.ts";
import { checkTestCommand } from "../contract/test-command.ts";

/** A command as it ran: its exact words before redaction, and where, relative to the work tree's root with `/`. */
export interface RanCommand {
  readonly argv: readonly string[];
  readonly cwd: string;
}

/** `./web/` and `web` are one place; the root is empty. */
function placeOf(path: string): string {
  return path
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/");
}

/** What two spellings of one test run have in common; null for words that are no test command of the policy. */
function testForm(argv: readonly string[]): string | null {
  const checked = checkTestCommand(argv);
  if (!checked.ok) return null;
  const { runner, script, args } = checked.command;
  // vitest has two spellings of a single run, of which the flag is dropped from `args`.
  const single = runner === "vitest" && argv.includes("--run") && args[0] !== "run";
  return JSON.stringify([runner, script, ...(single ? ["run"] : []), ...args]);
}

const installed = /^(?:\.\/)?node_modules\/\.bin\//u;
/** A launcher that may also run a script of that name, or a command of its own, says less than it seems. */
const ambiguous: readonly string[] = ["pnpm", "yarn", "yarn run"];

/** The words of any command behind its launcher, with what kind of thing they name. */
function programForm(argv: readonly string[]): string {
  const whole = JSON.stringify(["program", (argv[0] ?? "").replace(installed, ""), ...argv.slice(1)]);
  const launcher = launcherTable
    .filter(({ words }) => words.every((word, index) => argv[index] === word))
    .toSorted((a, b) => b.words.length - a.words.length)[0];
  if (launcher === undefined || ambiguous.includes(launcher.words.join(" "))) return whole;
  const behind = argv.slice(launcher.words.length);
  const first = behind.findIndex((word) => !launcher.flags.includes(word));
  const rest = first === -1 ? [] : behind.slice(first);
  if (launcher.runs === "script")
    return scriptForm(launcher.script === undefined ? rest : [launcher.script, ...rest]) ?? whole;
  const words = rest[0] === "--" ? rest.slice(1) : rest;
  const name = words[0];
  // A flag of the launcher that is not known, or a version to fetch: only the very same words are equal to it.
  if (name === undefined || name.startsWith("-") || /.@/u.test(name)) return whole;
  return JSON.stringify(["program", name.replace(installed, ""), ...words.slice(1)]);
}

function scriptForm([script, ...rest]: readonly string[]): string | null {
  if (script === undefined || script.startsWith("-")) return null;
  return JSON.stringify(["script", script, ...(rest[0] === "--" ? rest.slice(1) : rest)]);
}

interface Entry {
  readonly command: string;
  readonly cwd?: string | undefined;
}

/** Compares as test commands where both are; else word for word behind the launcher. */
function isSameCommand(declared: string, argv: readonly string[]): boolean {
  const words = parseCommand(declared);
  if (!words.ok) return false;
  const wanted = testForm(words.argv);
  const ran = testForm(argv);
  return wanted !== null && ran !== null ? wanted === ran : programForm(words.argv) === programForm(argv);
}

/**
 * The criteria of a contract whose command this is: `tests[0]`, `commands[1]`. Launchers and flags that change nothing are
 * left out of the comparison; a word more or less, another order or another directory is another command.
 */
export function matchCriteria({ argv, cwd }: RanCommand, declared: AcceptanceContract): readonly string[] {
  const { contract } = expandProjects(declared, null);
  const matching = (kind: string, entries: readonly Entry[]): readonly string[] =>
    entries.flatMap((entry, index) =>
      placeOf(entry.cwd ?? "") === placeOf(cwd) && isSameCommand(entry.command, argv) ? [`${kind}[${index}]`] : [],
    );
  return [...matching("tests", contract.tests ?? []), ...matching("commands", contract.commands ?? [])];
}
