import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { TrueupError } from "../../../errors.ts";
import { type ObjectFormat, objectFormatOf } from "./mirror-store.ts";

/** A repository on disk, read as files: no program looks at its configuration, so none of it can run. */
export interface LocalRepository {
  /** The work tree's root; the repository itself when it is bare. */
  readonly root: string;
  readonly bare: boolean;
  readonly gitDirectory: string;
  /** Where refs and objects are; another directory than `gitDirectory` for a linked work tree. */
  readonly commonDirectory: string;
  readonly objectFormat: ObjectFormat;
  readonly shallow: boolean;
  /** The text of its own configuration files, the one that wins first. */
  readonly config: readonly string[];
}

/** Finds the repository that holds `directory`, going up as git does; null outside one. */
export async function findRepository(directory: string): Promise<LocalRepository | null> {
  const start = await realpath(directory).catch(() => null);
  for (let at = start; at !== null; at = dirname(at) === at ? null : dirname(at)) {
    const found = await repositoryAt(at);
    if (found !== null) return found;
  }
  return null;
}

/** The repository whose work tree or bare directory is exactly here; null when there is none. */
export async function repositoryAt(directory: string): Promise<LocalRepository | null> {
  const dotGit = join(directory, ".git");
  const info = await stat(dotGit).catch(() => null);
  if (info?.isFile() === true) {
    const target = /^gitdir: (.+?)\n*$/su.exec(await readFile(dotGit, "utf8"))?.[1];
    return target === undefined ? null : describe(directory, resolve(directory, target), false);
  }
  if (info?.isDirectory() === true) {
    const found = await describe(directory, dotGit, false);
    if (found !== null) return found;
  }
  return describe(directory, directory, true);
}

async function describe(root: string, gitDirectory: string, bare: boolean): Promise<LocalRepository | null> {
  const head = await readFile(join(gitDirectory, "HEAD"), "utf8").catch(() => null);
  if (head === null) return null;
  const common = await readFile(join(gitDirectory, "commondir"), "utf8").catch(() => null);
  const commonDirectory = common === null ? gitDirectory : resolve(gitDirectory, common.trim());
  const objects = await stat(join(commonDirectory, "objects")).catch(() => null);
  if (objects?.isDirectory() !== true) return null;
  const config = await readFile(join(commonDirectory, "config"), "utf8").catch(() => "");
  if (/^\s*refstorage\s*=\s*"?reftable/imu.test(config))
    throw new TrueupError("repository-unsupported", { subject: root, detail: "its refs are a reftable" });
  const shallow = (await stat(join(commonDirectory, "shallow")).catch(() => null)) !== null;
  const own = await readFile(join(gitDirectory, "config.worktree"), "utf8").catch(() => "");
  const objectFormat = objectFormatOf(config);
  return { root, bare, gitDirectory, commonDirectory, objectFormat, shallow, config: [own, config] };
}
