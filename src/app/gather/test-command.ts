import { parseTestCommand, type TestCommand } from "../../core/contract/index.ts";
import type { FoundElsewhere } from "../../core/facts/index.ts";
import { TrueupError } from "../../errors.ts";
import type { TreeReader } from "../../ports/index.ts";
import { readText } from "./tree-reader.ts";

/** A test command as declared, and the runner it comes down to. */
export interface ResolvedTestCommand {
  readonly declared: readonly string[];
  readonly runner: Exclude<TestCommand["runner"], "script">;
  readonly args: readonly string[];
}

/** Where a command runs: the tree, and the directory relative to its root (`""` is the root). */
export interface CommandPlace {
  readonly reader: TreeReader;
  readonly cwd: string;
}

const inPlace = (cwd: string, name: string): string => (cwd === "" ? name : `${cwd}/${name}`);

function parse(text: string, subject: string): TestCommand {
  const result = parseTestCommand(text);
  if (result.ok) return result.command;
  throw new TrueupError("contract-invalid", { subject, detail: result.reasons.join("; ") });
}

/** The text of a manifest's script in the run's own tree, where manifests are as on base. */
async function readScript(place: CommandPlace, script: string): Promise<string | null> {
  try {
    const manifest: unknown = JSON.parse((await readText(place.reader, inPlace(place.cwd, "package.json"))) ?? "null");
    const scripts: unknown =
      typeof manifest === "object" && manifest !== null ? Reflect.get(manifest, "scripts") : null;
    const text: unknown = typeof scripts === "object" && scripts !== null ? Reflect.get(scripts, script) : null;
    return typeof text === "string" ? text : null;
  } catch {
    return null;
  }
}

/**
 * Resolves an entry's command to a runner and its arguments. A script must be one plain runner command, since flags
 * behind `&&` or a pipe would reach another program. Throws `contract-invalid` with the reason.
 */
export async function resolveTestCommand(command: string, place: CommandPlace): Promise<ResolvedTestCommand> {
  const declared = parse(command, command);
  if (declared.runner !== "script") return { declared: declared.argv, runner: declared.runner, args: declared.args };
  const name = declared.script ?? "test";
  const text = await readScript(place, name);
  const where = place.cwd === "" ? "the root" : place.cwd;
  if (text === null) {
    throw new TrueupError("contract-invalid", {
      subject: command,
      detail: `the manifest of ${where} has no script ${name}`,
    });
  }
  const subject = `${command}: the script ${name} is "${text}"; name the runner's command`;
  const inner = parse(text, subject);
  if (inner.runner === "script")
    throw new TrueupError("contract-invalid", { subject, detail: "a script that calls a script" });
  return { declared: declared.argv, runner: inner.runner, args: [...inner.args, ...declared.args] };
}

/** Files named by a command, and others of the tree that a match by substring would take too; relative to `cwd`. */
export interface NamedFiles {
  readonly files: readonly string[];
  readonly alsoMatched: readonly string[];
}

/** Null unless every filter is, exactly, a file of the tree: only then can it be held to those files. */
export function findNamedFiles(filters: readonly string[], { reader, cwd }: CommandPlace): NamedFiles | null {
  const prefix = inPlace(cwd, "");
  const paths = reader.entries.flatMap(({ path }) => (path.startsWith(prefix) ? [path.slice(prefix.length)] : []));
  const files = new Set(filters.map((filter) => filter.replace(/^(?:\.\/)+/u, "")));
  const known = new Set(paths);
  if (files.size === 0 || ![...files].every((file) => known.has(file))) return null;
  const lower = [...files].map((file) => file.toLowerCase());
  const alsoMatched = paths.filter(
    (path) => !files.has(path) && lower.some((file) => path.toLowerCase().includes(file)),
  );
  return { files: [...files], alsoMatched };
}

const shownDirectories = 5;

/** The file arguments that name nothing in `cwd` but a file in other directories of the tree: mostly a missing `cwd`. */
export function findElsewhere(filters: readonly string[], { reader, cwd }: CommandPlace): readonly FoundElsewhere[] {
  const paths = new Set(reader.entries.map((entry) => entry.path));
  return filters.flatMap((argument) => {
    const file = argument.replace(/^(?:\.\/)+/u, "");
    if (file === "" || paths.has(inPlace(cwd, file))) return [];
    const found = [...paths].filter((path) => path === file || path.endsWith(`/${file}`));
    const directories = found.map((path) => path.slice(0, -file.length).replace(/\/$/u, "")).toSorted();
    return directories.length === 0 ? [] : [{ argument, directories: directories.slice(0, shownDirectories) }];
  });
}
