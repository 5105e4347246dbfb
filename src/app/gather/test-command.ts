import { lstat, readFile } from "node:fs/promises";
import path from "node:path";
import { parseTestCommand, type TestCommand } from "../../core/contract/index.ts";
import { TrueupError } from "../../errors.ts";

const manifestLimit = 4 * 1024 * 1024;

/** A test command as declared, and the runner it comes down to. */
export interface ResolvedTestCommand {
  readonly declared: readonly string[];
  readonly runner: Exclude<TestCommand["runner"], "script">;
  readonly args: readonly string[];
}

function parse(text: string, subject: string): TestCommand {
  const result = parseTestCommand(text);
  if (result.ok) return result.command;
  throw new TrueupError("contract-invalid", { subject, detail: result.reasons.join("; ") });
}

/** The text of a manifest's script, read from the run's own tree, where manifests are as on base. */
async function readScript(directory: string, script: string): Promise<string | null> {
  const file = path.join(directory, "package.json");
  const stat = await lstat(file).catch(() => null);
  if (stat === null || !stat.isFile() || stat.size > manifestLimit) return null;
  try {
    const manifest: unknown = JSON.parse(await readFile(file, "utf8"));
    const scripts: unknown =
      typeof manifest === "object" && manifest !== null ? Reflect.get(manifest, "scripts") : null;
    const text: unknown = typeof scripts === "object" && scripts !== null ? Reflect.get(scripts, script) : null;
    return typeof text === "string" ? text : null;
  } catch {
    return null;
  }
}

/** The host's directory for `cwd`, or null when a part of it is no directory; a link is none. */
async function hostDirectory(roomPath: string, cwd: string): Promise<string | null> {
  let directory = roomPath;
  for (const part of cwd === "" ? [] : cwd.split("/")) {
    directory = path.join(directory, part);
    const stat = await lstat(directory).catch(() => null);
    if (stat?.isDirectory() !== true) return null;
  }
  return directory;
}

/**
 * Resolves an entry's command to a runner and its arguments. A script must be one plain runner command, since flags
 * behind `&&` or a pipe would reach another program. Throws `contract-invalid` with the reason.
 */
export async function resolveTestCommand(
  command: string,
  room: { readonly hostPath: string; readonly cwd: string },
): Promise<ResolvedTestCommand> {
  const declared = parse(command, command);
  if (declared.runner !== "script") return { declared: declared.argv, runner: declared.runner, args: declared.args };
  const name = declared.script ?? "test";
  const directory = await hostDirectory(room.hostPath, room.cwd);
  const text = directory === null ? null : await readScript(directory, name);
  const where = room.cwd === "" ? "the root" : room.cwd;
  if (text === null)
    throw new TrueupError("contract-invalid", {
      subject: command,
      detail: `the manifest of ${where} has no script ${name}`,
    });
  const subject = `${command}: the script ${name} is "${text}"; name the runner's command`;
  const inner = parse(text, subject);
  if (inner.runner === "script")
    throw new TrueupError("contract-invalid", { subject, detail: "a script that calls a script" });
  return { declared: declared.argv, runner: inner.runner, args: [...inner.args, ...declared.args] };
}

/** True when the words name regular files of the tree, each exactly; `cwd` relative to the room. */
export async function areExactFiles(
  room: { readonly hostPath: string; readonly cwd: string },
  words: readonly string[],
): Promise<boolean> {
  const stats = await Promise.all(
    words.map((word) => lstat(path.join(room.hostPath, room.cwd, word)).catch(() => null)),
  );
  return words.length > 0 && stats.every((stat) => stat?.isFile() === true);
}
