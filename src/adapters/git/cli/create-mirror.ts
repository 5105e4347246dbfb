import { decodePath, encodePath } from "../../../core/change/index.ts";
import { TrueupError } from "../../../errors.ts";
import type { Mirror, TreeEntry } from "../../../ports/index.ts";
import { captureDirectory } from "./capture-directory.ts";
import { captureIndex } from "./capture-index.ts";
import { readChangeFacts } from "./change-facts.ts";
import { readContents } from "./contents.ts";
import { readExactPatch } from "./diff-trees.ts";
import { materialize } from "./materialize.ts";
import { materializeDelta } from "./materialize-delta.ts";
import type { MirrorContext } from "./mirror-store.ts";
import { createObjectWriter } from "./object-writer.ts";
import { fetchRef, listRemote, pushNew, writeCommit } from "./publish.ts";
import { readBlob } from "./read-objects.ts";
import { mergeBase, readCommit, resolveCommit } from "./resolve-commit.ts";
import { putFile, restorePaths } from "./restore-paths.ts";
import { listTreeItems, readTreeLines, type TreeListing } from "./tree-objects.ts";

/** Trees kept in memory by one mirror; a delivery looks at base, head and a few between. */
const keptListings = 6;

/** A mirror over its place in the cache. */
export function createMirror(context: MirrorContext): Mirror {
  const list = createListings(context);
  return {
    path: context.place.directory,
    objectFormat: context.objectFormat,
    resolve: (revision) => resolveCommit(context, revision),
    mergeBase: (a, b) => mergeBase(context, a, b),
    listTree: async (tree) => listEntries(context, await list(tree)),
    async readFile(tree, path) {
      const item = (await list(tree)).items.get(encodePath(path));
      return item?.mode.startsWith("100") === true ? readBlob(context, item.id) : null;
    },
    readContents: async (tree, pairs) => readContents(context, await list(tree), pairs),
    captureDirectory: async (directory, base, options = {}) =>
      captureDirectory(context, await list(base.tree), { directory, base, options }),
    captureIndex: async (workTree, base, indexFile) =>
      captureIndex(context, await list(base.tree), { workTree, indexFile: indexFile ?? null }),
    restorePaths: async (tree, from, paths) =>
      restorePaths(
        { tree: await list(tree), from: await list(from), paths },
        createObjectWriter(context, () => false),
      ),
    putFile: async (tree, file) =>
      putFile(
        await list(tree),
        file,
        createObjectWriter(context, () => false),
      ),
    changeFacts: async (base, captured, pairs) =>
      readChangeFacts(context, { base, captured, pairs, listing: await list(captured.tree) }),
    patch: (baseTree, tree) => readExactPatch(context, baseTree, tree),
    materialize: async (tree, directory) => materialize(context, await list(tree), directory),
    materializeDelta: async (base, tree, directory) =>
      materializeDelta(context, { base: await list(base), tree: await list(tree) }, directory),
    commit: (request) => writeCommit(context, request),
    readCommit: (id) => readCommit(context, id),
    listRemote: (url, prefix) => listRemote(context, url, prefix),
    fetchRef: (url, ref) => fetchRef(context, url, ref),
    pushNew: (url, branch, commit) => pushNew(context, { url, branch, commit }),
  };
}

/** The verified listing once more with sizes; both must be equally long. */
async function listEntries(context: MirrorContext, listing: TreeListing): Promise<readonly TreeEntry[]> {
  const lines = await readTreeLines(context, listing.id, ["-l"]);
  if (lines.length !== listing.items.size)
    throw new TrueupError("mirror-broken", { subject: listing.id, detail: "its listing is not whole" });
  return lines.map((line) => ({
    path: decodePath(line.path).path,
    mode: line.mode,
    id: line.id,
    size: line.size ?? 0,
  }));
}

/** Listings by tree id. A tree never changes, so what was read once stays true. */
function createListings(context: MirrorContext): (tree: string) => Promise<TreeListing> {
  const kept = new Map<string, Promise<TreeListing>>();
  return (tree) => {
    const known = kept.get(tree);
    if (known !== undefined) return known;
    const oldest = kept.size >= keptListings ? kept.keys().next().value : undefined;
    if (oldest !== undefined) kept.delete(oldest);
    const made = listTreeItems(context, tree);
    kept.set(tree, made);
    made.catch(() => kept.delete(tree));
    return made;
  };
}
