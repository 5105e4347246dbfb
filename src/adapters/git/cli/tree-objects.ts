import { type BytePath, decodeTree, type TreeLine } from "../../../core/change/index.ts";
import { TrueupError } from "../../../errors.ts";
import { runGit } from "./git-process.ts";
import type { MirrorContext } from "./mirror-store.ts";
import type { ObjectWriter } from "./object-writer.ts";
import { encodeTreeObject, verifyListing } from "./verify-listing.ts";

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

/** Lists a tree recursively with its directories, in git's order, and checks that nothing is missing. */
export async function listTreeItems(context: MirrorContext, tree: string): Promise<TreeListing> {
  const items = new Map<BytePath, TreeItem>();
  const directories = new Map<BytePath, string>([["", tree]]);
  for (const line of await readTreeLines(context, tree, ["-t"])) {
    if (line.type === "tree") directories.set(line.path, line.id);
    else items.set(line.path, { mode: line.mode, id: line.id });
  }
  const listing = { id: tree, items, directories };
  await verifyListing(context, listing);
  return listing;
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
  readonly path: BytePath;
  readonly files: Map<string, TreeItem>;
  readonly directories: Map<string, Directory>;
}

/**
 * Writes the tree objects for a set of paths and returns the root's id. Directories in which nothing differs from `base`
 * keep base's id, also where base stored them in an old form. The caller flushes the writer.
 */
export async function writeTree(
  items: ReadonlyMap<BytePath, TreeItem>,
  base: TreeListing,
  writer: ObjectWriter,
): Promise<string> {
  const dirty = dirtyDirectories(items, base);
  const root: Directory = { path: "", files: new Map(), directories: new Map() };
  for (const [path, item] of items) {
    const cut = path.lastIndexOf("/");
    const parent = cut < 0 ? "" : path.slice(0, cut);
    if (dirty.has(parent)) directoryAt(root, parent).files.set(path.slice(cut + 1), item);
    else keepDirectories(root, parent, dirty);
  }
  return writeDirectory(root, { base, dirty, writer });
}

/** Every directory, up to the root, below which a path was added, removed or changed. */
function dirtyDirectories(items: ReadonlyMap<BytePath, TreeItem>, base: TreeListing): ReadonlySet<BytePath> {
  const dirty = new Set<BytePath>();
  const mark = (path: BytePath): void => {
    for (let cut = path.lastIndexOf("/"); ; cut = path.lastIndexOf("/", cut - 1)) {
      const parent = cut <= 0 ? "" : path.slice(0, cut);
      if (dirty.has(parent)) return;
      dirty.add(parent);
      if (cut <= 0) return;
    }
  };
  for (const [path, item] of items) {
    const old = base.items.get(path);
    if (old?.id !== item.id || old.mode !== item.mode) mark(path);
  }
  if (items.size !== base.items.size || dirty.size > 0)
    for (const path of base.items.keys()) if (!items.has(path)) mark(path);
  return dirty;
}

/** Makes the nearest unchanged directory known to its changed parent. */
function keepDirectories(root: Directory, path: BytePath, dirty: ReadonlySet<BytePath>): void {
  let child = path;
  while (child !== "") {
    const cut = child.lastIndexOf("/");
    const parent = cut < 0 ? "" : child.slice(0, cut);
    if (dirty.has(parent)) {
      directoryAt(root, child);
      return;
    }
    child = parent;
  }
}

function directoryAt(root: Directory, path: BytePath): Directory {
  let at = root;
  if (path === "") return at;
  for (const name of path.split("/")) {
    const known = at.directories.get(name);
    const child = known ?? {
      path: at.path === "" ? name : `${at.path}/${name}`,
      files: new Map(),
      directories: new Map(),
    };
    if (known === undefined) at.directories.set(name, child);
    at = child;
  }
  return at;
}

interface TreeWriting {
  readonly base: TreeListing;
  readonly dirty: ReadonlySet<BytePath>;
  readonly writer: ObjectWriter;
}

async function writeDirectory(directory: Directory, writing: TreeWriting): Promise<string> {
  const kept = writing.base.directories.get(directory.path);
  if (kept !== undefined && !writing.dirty.has(directory.path)) return kept;
  const lines = [...directory.files].map(([name, item]) => ({ name, ...item }));
  for (const [name, child] of directory.directories)
    lines.push({ name, mode: "40000", id: await writeDirectory(child, writing) });
  return writing.writer.add("tree", encodeTreeObject(lines));
}
