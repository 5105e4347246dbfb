import { readFile, realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import { TrueupError } from "../../../errors.ts";
import { isTrue, readConfigValue } from "./config-file.ts";
import type { LocalRepository } from "./find-work-tree.ts";

/** What a user's own configuration says about the files of a work tree. */
export interface WorkTreeSettings {
  /** `core.autocrlf`: text without an attribute is stored with LF. */
  readonly crlf: boolean;
  /** `core.sparseCheckout`: paths may be absent on purpose. */
  readonly sparse: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings as git would, from the repository's files and then the user's, without running git. Throws
 * `repository-unsupported` when `core.worktree` puts the work tree elsewhere: another tree would be judged than git's.
 */
export async function readWorkTreeSettings(
  repository: LocalRepository,
  environment: Environment,
): Promise<WorkTreeSettings> {
  await refuseMovedWorkTree(repository);
  const texts = [...repository.config, ...(await readUserConfig(environment))];
  const setting = (name: string): string | null =>
    texts.map((text) => readConfigValue(text, "core", name)).find((value) => value !== null) ?? null;
  const autocrlf = setting("autocrlf");
  return { crlf: isTrue(autocrlf) || autocrlf?.toLowerCase() === "input", sparse: isTrue(setting("sparsecheckout")) };
}

/** A linked work tree has its place in its own `gitdir` file; `core.worktree` of the main one is not meant for it. */
async function refuseMovedWorkTree(repository: LocalRepository): Promise<void> {
  const { root, gitDirectory, commonDirectory, config } = repository;
  const own = gitDirectory === commonDirectory ? config : config.slice(0, 1);
  const named = own.map((text) => readConfigValue(text, "core", "worktree")).find((value) => value !== null);
  if (named === undefined || named === null) return;
  const place = resolve(gitDirectory, named);
  if ((await realpath(place).catch(() => place)) === root) return;
  throw new TrueupError("repository-unsupported", {
    subject: root,
    detail: `core.worktree puts its work tree at ${place}`,
    hint: "Run `git config --unset core.worktree` in it, or use `git worktree add`.",
  });
}

async function readUserConfig(environment: Environment): Promise<readonly string[]> {
  const home = environment["HOME"];
  const xdg = environment["XDG_CONFIG_HOME"] ?? (home === undefined ? undefined : join(home, ".config"));
  const personal =
    environment["GIT_CONFIG_GLOBAL"] === undefined
      ? [
          ...(home === undefined ? [] : [join(home, ".gitconfig")]),
          ...(xdg === undefined ? [] : [join(xdg, "git/config")]),
        ]
      : [environment["GIT_CONFIG_GLOBAL"]];
  const system =
    environment["GIT_CONFIG_NOSYSTEM"] === undefined ? [environment["GIT_CONFIG_SYSTEM"] ?? "/etc/gitconfig"] : [];
  return Promise.all([...personal, ...system].map((file) => readFile(file, "utf8").catch(() => "")));
}
