import { type BytePath, compareBytes, decodeTree, type TreeLine } from "../../../core/change/index.ts";
import { TrueupError } from "../../../errors.ts";
import { runGit } from "./git-process.ts";
import type { MirrorContext } from "./mirror-store.ts";
import type { ObjectWriter } from "./object-writer.ts";

/** A file, symlink or submodule of a tree. */
export interface TreeItem {
  readonly mode: string;
  readonly id: string;
}

/** A tree in full: its items by path, and the ids of every directory in it (its own included). */
export interface TreeListing {
  readonly id: string;
  readonly items: ReadonlyMap<BytePath, TreeItem>;
  readonly directories: ReadonlyMap<BytePath, string>;
}

/** Lists a tree recursively with its directories, in git's order. */
export async function listTreeItems(context: MirrorContext, tree: string): Promise<TreeListing> {
  const items = new Map<BytePath, TreeItem>();
  const directories = new Map<BytePath, string>([["", tree]]);
  for (const line of await readTreeLines(context, tree, ["-t"])) {
    if (line.type === "tree") directories.set(line.path, line.id);
    else items.set(line.path, { mode: line.mode, id: line.id });
  }
  return { id: tree, items, directories };
}

/** The lines of `ls-tree -r` with more flags. */
export async function readTreeLines(
  context: MirrorContext,
  tree: string,
  flags: readonly string[],
): Promise<readonly TreeLine[]> {
  const args = ["ls-tree", "-r", "-z", "--full-tree", ...flags, tree];
  const answer = await runGit(context.settings, { args, gitDirectory: context.place.directory });
  const decoded = decodeTree(answer.stdout, context.objectFormat === "sha256" ? 64 : 40);
  if (!decoded.ok) throw new TrueupError("git-facts-undecodable", { subject: tree, detail: decoded.problem });
  return decoded.value;
}

interface Directory {
  readonly files: Map<string, TreeItem>;
  readonly directories: Map<string, Directory>;
}

/** Writes the tree objects for a set of paths and returns the root's id. The caller flushes the writer. */
export async function writeTree(items: ReadonlyMap<BytePath, TreeItem>, writer: ObjectWriter): Promise<string> {
  const root: Directory = { files: new Map(), directories: new Map() };
  for (const [path, item] of items) {
    const parts = path.split("/");
    const name = parts.pop() ?? "";
    let at = root;
    for (const part of parts) at = subdirectory(at, part);
    at.files.set(name, item);
  }
  return writeDirectory(root, writer);
}

function subdirectory(parent: Directory, name: string): Directory {
  const known = parent.directories.get(name);
  if (known !== undefined) return known;
  const made: Directory = { files: new Map(), directories: new Map() };
  parent.directories.set(name, made);
  return made;
}

async function writeDirectory(directory: Directory, writer: ObjectWriter): Promise<string> {
  const lines = [...directory.files].map(([name, item]) => ({ name, order: name, ...item }));
  for (const [name, child] of directory.directories)
    lines.push({ name, order: `${name}/`, mode: "40000", id: await writeDirectory(child, writer) });
  lines.sort((a, b) => compareBytes(a.order, b.order));
  const parts = lines.flatMap((line) => [
    Buffer.from(`${line.mode} ${line.name}\0`, "latin1"),
    Buffer.from(line.id, "hex"),
  ]);
  return writer.add("tree", Buffer.concat(parts));
}
