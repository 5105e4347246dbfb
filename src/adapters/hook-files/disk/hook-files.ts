import { execFile } from "node:child_process";
import { chmod, lstat, mkdir, readFile, realpath, rename, rmdir, stat, unlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { TrueupError } from "../../../errors.ts";
import type { GitHookPlace, HookFiles } from "../../../ports/index.ts";

const run = promisify(execFile);

export interface HookFilesOptions {
  /** The environment of the person who installs: git reads their configuration to say where hooks are. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Hooks as files on this disk. */
export function createHookFiles({ environment }: HookFilesOptions): HookFiles {
  return {
    findGitHooks: (directory) => findGitHooks(directory, environment),
    read: (file) =>
      guarded(file, () =>
        readFile(file, "utf8").catch(async (error: NodeJS.ErrnoException) => {
          // A link that leads nowhere is something, and not ours to write over.
          if (error.code === "ENOENT" && (await lstat(file).catch(() => null)) === null) return null;
          throw error;
        }),
      ),
    writeProgram: (file, text) => guarded(file, () => writeWhole(file, text, 0o755)),
    writeSettings: (file, text) =>
      guarded(file, async () => {
        const target = await realpath(file).catch(() => file);
        const mode = await stat(target).then(
          (info) => info.mode & 0o777,
          () => 0o644,
        );
        await writeWhole(target, text, mode);
      }),
    move: (from, to) => guarded(from, () => rename(from, to)),
    remove: (file) => guarded(file, () => unlink(file)),
    removeEmpty: (directory) =>
      guarded(directory, () =>
        rmdir(directory).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST" && error.code !== "ENOENT") throw error;
        }),
      ),
  };
}

/** Asks git itself: it alone knows every file and variable that `core.hooksPath` may come from. It runs no hook for that. */
async function findGitHooks(
  directory: string,
  environment: HookFilesOptions["environment"],
): Promise<GitHookPlace | null> {
  const ask = async (...words: readonly string[]): Promise<string> =>
    (await run("git", ["rev-parse", ...words], { cwd: directory, env: environment })).stdout.replace(/\n$/u, "");
  const bare = await ask("--is-bare-repository").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") throw new TrueupError("git-missing", { cause: error });
    return null;
  });
  if (bare === null) return null;
  // In a bare repository a hook runs in the repository itself, and a relative `core.hooksPath` is meant from there.
  const from = bare === "true" ? await ask("--absolute-git-dir") : directory;
  const root = bare === "true" ? null : await realpath(await ask("--show-toplevel"));
  const hooks = path.resolve(from, await ask("--git-path", "hooks"));
  const common = path.resolve(directory, await ask("--git-common-dir"));
  const place = await realpath(hooks).catch(() => hooks);
  const isWithin = (outer: string): boolean => `${place}/`.startsWith(`${outer}/`);
  const managed = root !== null && isWithin(root) && !isWithin(await realpath(common));
  return { directory: hooks, root, managed };
}

async function writeWhole(file: string, text: string, mode: number): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const part = `${file}.${process.pid}.part`;
  try {
    await writeFile(part, text, { mode, flag: "wx" });
    await chmod(part, mode);
    await rename(part, file);
  } catch (error) {
    await unlink(part).catch(() => undefined);
    throw error;
  }
}

async function guarded<T>(subject: string, act: () => Promise<T>): Promise<T> {
  return act().catch((cause: NodeJS.ErrnoException) => {
    if (cause instanceof TrueupError || cause.code === undefined) throw cause;
    throw new TrueupError("hook-unwritable", { subject, detail: cause.code, cause });
  });
}
