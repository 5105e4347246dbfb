import { type BytePath, encodePath } from "../../../core/change/index.ts";
import type { ObjectWriter } from "./object-writer.ts";
import { type TreeItem, type TreeListing, writeTree } from "./tree-objects.ts";

/** Which paths of which tree are put back. */
export interface RestoreRequest {
  readonly tree: TreeListing;
  readonly from: TreeListing;
  readonly paths: readonly string[];
}

/** A new tree: `tree` with each path as `from` has it, or without it where `from` has none. Writes only what is missing. */
export async function restorePaths(request: RestoreRequest, writer: ObjectWriter): Promise<string> {
  const items = new Map<BytePath, TreeItem>(request.tree.items);
  for (const path of request.paths.map(encodePath)) {
    items.delete(path);
    const item = request.from.items.get(path);
    if (item !== undefined) putBack(items, path, item);
  }
  const id = await writeTree(items, request.tree, writer);
  await writer.flush();
  return id;
}

/** A new tree: `tree` with these bytes as an ordinary file at `path`. */
export async function putFile(
  tree: TreeListing,
  file: { readonly path: string; readonly bytes: Uint8Array },
  writer: ObjectWriter,
): Promise<string> {
  const items = new Map<BytePath, TreeItem>(tree.items);
  putBack(items, encodePath(file.path), { mode: "100644", id: await writer.add("blob", file.bytes) });
  const id = await writeTree(items, tree, writer);
  await writer.flush();
  return id;
}

/** Whatever took the path's place, or a parent's, gives way: a file cannot stand where a directory must. */
function putBack(items: Map<BytePath, TreeItem>, path: BytePath, item: TreeItem): void {
  for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1)) items.delete(path.slice(0, at));
  for (const other of items.keys()) if (other.startsWith(`${path}/`)) items.delete(other);
  items.set(path, item);
}
