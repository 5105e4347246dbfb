import { encodePath } from "../../../core/change/index.ts";
import type { ContentFact } from "../../../core/facts/index.ts";
import type { MirrorContext } from "./mirror-store.ts";
import { readObjects } from "./read-objects.ts";
import type { TreeListing } from "./tree-objects.ts";

/** One question of `file_contains` or `file_excludes`. */
export interface ContentPair {
  readonly path: string;
  readonly text: string;
}

/** Answers each question from the tree's blob; a symlink is named as one and never read through. */
export async function readContents(
  context: MirrorContext,
  listing: TreeListing,
  pairs: readonly ContentPair[],
): Promise<readonly ContentFact[]> {
  const kinds = pairs.map((pair) => ({ ...pair, ...lookUp(listing, pair.path) }));
  const files = kinds.flatMap((pair, index) =>
    pair.kind === "file" && pair.id !== null ? [{ index, id: pair.id, text: pair.text }] : [],
  );
  const found = new Set<number>();
  await readObjects(
    context,
    files.map((file) => file.id),
    (object, at) => {
      const file = files[at];
      if (file !== undefined && object.bytes.includes(Buffer.from(file.text, "utf8"))) found.add(file.index);
    },
  );
  return kinds.map(({ path, text, kind }, index) => ({ path, text, kind, found: found.has(index) }));
}

function lookUp(listing: TreeListing, path: string): { kind: ContentFact["kind"]; id: string | null } {
  const item = listing.items.get(encodePath(path));
  if (item === undefined) return { kind: "missing", id: null };
  if (item.mode === "120000") return { kind: "symlink", id: null };
  return item.mode === "160000" ? { kind: "submodule", id: null } : { kind: "file", id: item.id };
}
