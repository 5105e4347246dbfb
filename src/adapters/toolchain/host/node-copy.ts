import { chmod, constants, copyFile, mkdir, mkdtemp, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { digestOf } from "../../../core/digest.ts";
import { TrueupError } from "../../../errors.ts";
import type { CacheHolds } from "../../../ports/index.ts";

/** Executable and nothing else: the running binary can then be neither opened nor traced from inside. */
const executeOnly = 0o111;

/**
 * Puts a copy of the node binary and launchers for `npm` and `npx` into a directory of the cache, once for each binary.
 * `npmCli` and `node` are paths inside the sandbox. Returns the directory; throws `disk-full` and `state-unwritable`.
 */
export async function openProgramsDirectory(options: {
  readonly cacheDirectory: string;
  readonly holds?: CacheHolds;
  readonly binary: string;
  readonly node: string;
  readonly npmCli: string | null;
}): Promise<string> {
  const source = await stat(options.binary);
  const key = digestOf([
    1,
    options.binary,
    source.size,
    source.mtimeMs,
    source.ino,
    options.node,
    options.npmCli,
  ]).slice("sha256:".length);
  const parent = join(options.cacheDirectory, "toolchains");
  const directory = join(parent, key);
  await options.holds?.hold("toolchains", key);
  if (await isComplete(directory, source.size)) return directory;
  try {
    await mkdir(parent, { recursive: true, mode: 0o700 });
    const building = await mkdtemp(join(parent, ".tmp-"));
    await fillDirectory(building, options);
    await moveIntoPlace(building, directory, source.size);
  } catch (cause) {
    throw new TrueupError(isFull(cause) ? "disk-full" : "state-unwritable", { subject: parent, cause });
  }
  return directory;
}

async function fillDirectory(
  directory: string,
  options: { readonly binary: string; readonly node: string; readonly npmCli: string | null },
): Promise<void> {
  await copyFile(options.binary, join(directory, "node"), constants.COPYFILE_FICLONE);
  await chmod(join(directory, "node"), executeOnly);
  if (options.npmCli === null) return;
  for (const [name, script] of [
    ["npm", options.npmCli],
    ["npx", options.npmCli.replace(/npm-cli\.js$/u, "npx-cli.js")],
  ] as const) {
    await writeFile(join(directory, name), `#!/bin/sh\nexec ${options.node} ${script} "$@"\n`);
    await chmod(join(directory, name), 0o555);
  }
}

/** Another process may have put the same directory there first: then its copy is as good. A broken one is replaced. */
async function moveIntoPlace(building: string, directory: string, size: number): Promise<void> {
  try {
    await rename(building, directory);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== "ENOTEMPTY" && code !== "EEXIST") throw error;
    const aside = `${building}-aside`;
    if (await isComplete(directory, size)) return await rm(building, { recursive: true, force: true });
    await rename(directory, aside);
    await rename(building, directory);
    await rm(aside, { recursive: true, force: true });
  }
}

async function isComplete(directory: string, size: number): Promise<boolean> {
  return (await stat(join(directory, "node")).catch(() => null))?.size === size;
}

function isFull(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code === "ENOSPC" || code === "EDQUOT";
}
