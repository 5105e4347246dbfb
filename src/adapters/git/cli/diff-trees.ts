import { join } from "node:path";
import { runGit } from "./git-process.ts";
import type { MirrorContext } from "./mirror-store.ts";

// Every choice that a configuration could make otherwise is made here.
const always = [
  "--no-renames",
  "--no-ext-diff",
  "--no-textconv",
  "--ignore-submodules=none",
  "--full-index",
  "--no-color",
];
const text = [
  "--diff-algorithm=myers",
  "--no-indent-heuristic",
  "--inter-hunk-context=0",
  "--no-function-context",
  "--src-prefix=a/",
  "--dst-prefix=b/",
  "--submodule=short",
  "--no-relative",
];

/** Raw and numstat records of base against tree, every file counted as text. */
export async function readChangeRecords(context: MirrorContext, base: string, tree: string): Promise<Buffer> {
  const args = ["diff-tree", "-r", "-z", "--raw", "--numstat", ...always, ...text, base, tree];
  return (await runGit(context.settings, { args, gitDirectory: context.place.directory })).stdout;
}

/** The text diff that the change digest is made of: pinned flags, every file forced to text. */
export async function readCanonicalPatch(context: MirrorContext, base: string, tree: string): Promise<Buffer> {
  const args = ["diff-tree", "-r", "-p", "-U3", "--binary", ...always, ...text, base, tree];
  return (await runGit(context.settings, { args, gitDirectory: context.place.directory })).stdout;
}

/** The patch for people and `git apply`: binary content as binary patches, no attribute of anyone. */
export async function readExactPatch(context: MirrorContext, base: string, tree: string): Promise<Buffer> {
  const args = ["diff-tree", "-r", "-p", "-U3", "--binary", ...always, ...text, base, tree];
  const env = { GIT_OBJECT_DIRECTORY: join(context.place.directory, "objects") };
  return (await runGit(context.settings, { args, gitDirectory: context.place.plain, env })).stdout;
}
