import type { Mirror, TreeReader } from "../../ports/index.ts";

/** Lists a tree once and reads its files on demand. */
export async function openTreeReader(mirror: Mirror, tree: string): Promise<TreeReader> {
  const entries = await mirror.listTree(tree);
  return { tree, entries, read: (path) => mirror.readFile(tree, path) };
}

/** A text file of the tree as UTF-8, or null when there is none. */
export async function readText(reader: TreeReader, path: string): Promise<string | null> {
  const bytes = await reader.read(path);
  return bytes === null ? null : new TextDecoder().decode(bytes);
}
