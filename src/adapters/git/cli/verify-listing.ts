import { type BytePath, compareBytes } from "../../../core/change/index.ts";
import { TrueupError } from "../../../errors.ts";
import type { MirrorContext } from "./mirror-store.ts";
import { objectId } from "./object-id.ts";
import { readObjects } from "./read-objects.ts";
import type { TreeListing } from "./tree-objects.ts";

/** One line of a tree object. */
export interface TreeObjectLine {
  readonly name: BytePath;
  readonly mode: string;
  readonly id: string;
}

/** The bytes of a tree object: lines in git's order, where a directory sorts as if its name ended in `/`. */
export function encodeTreeObject(lines: readonly TreeObjectLine[]): Buffer {
  const order = (line: TreeObjectLine): string => (line.mode === directoryMode ? `${line.name}/` : line.name);
  const sorted = lines.toSorted((a, b) => compareBytes(order(a), order(b)));
  const parts = sorted.flatMap((line) => [
    Buffer.from(`${line.mode} ${line.name}\0`, "latin1"),
    Buffer.from(line.id, "hex"),
  ]);
  return Buffer.concat(parts);
}

const directoryMode = "40000";

/**
 * Checks that a listing is whole: every directory's lines must hash to the directory's own id. A listing cut between two
 * records would otherwise look like a smaller tree. Throws `mirror-broken`.
 */
export async function verifyListing(context: MirrorContext, listing: TreeListing): Promise<void> {
  const wanted = [...groupByDirectory(listing)].map(([path, lines]) => ({
    id: listing.directories.get(path) ?? "",
    bytes: encodeTreeObject(lines),
  }));
  const odd = wanted.filter(({ id, bytes }) => objectId(context.objectFormat, "tree", bytes) !== id);
  // Old trees hold modes that `ls-tree` prints in their modern form: then the object itself decides.
  await readObjects(
    context,
    odd.map(({ id }) => id),
    (object, index) => {
      const whole = objectId(context.objectFormat, "tree", object.bytes) === object.id;
      const same =
        odd[index]?.bytes.equals(encodeTreeObject(decodeTreeObject(object.bytes, object.id.length / 2))) === true;
      if (!whole || !same)
        throw new TrueupError("mirror-broken", { subject: object.id, detail: "its listing is not whole" });
    },
  );
}

function groupByDirectory(listing: TreeListing): ReadonlyMap<BytePath, readonly TreeObjectLine[]> {
  const groups = new Map<BytePath, TreeObjectLine[]>([...listing.directories.keys()].map((path) => [path, []]));
  const put = (path: BytePath, mode: string, id: string): void => {
    const cut = path.lastIndexOf("/");
    const group = groups.get(cut < 0 ? "" : path.slice(0, cut));
    if (group === undefined)
      throw new TrueupError("mirror-broken", { subject: listing.id, detail: "a directory is not listed" });
    group.push({ name: path.slice(cut + 1), mode, id });
  };
  for (const [path, item] of listing.items) put(path, item.mode, item.id);
  for (const [path, id] of listing.directories) if (path !== "") put(path, directoryMode, id);
  return groups;
}

/** The lines of a tree object with modes as `ls-tree` prints them. */
function decodeTreeObject(bytes: Buffer, idBytes: number): readonly TreeObjectLine[] {
  const lines: TreeObjectLine[] = [];
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at);
    const end = bytes.indexOf(0, space);
    if (space < 0 || end < 0) return [];
    const id = bytes.toString("hex", end + 1, end + 1 + idBytes);
    lines.push({
      name: bytes.toString("latin1", space + 1, end),
      mode: modernMode(bytes.toString("latin1", at, space)),
      id,
    });
    at = end + 1 + idBytes;
  }
  return lines;
}

function modernMode(mode: string): string {
  const bits = Number.parseInt(mode, 8);
  const kind = bits & 0o170000;
  if (kind === 0o100000) return (bits & 0o100) === 0 ? "100644" : "100755";
  if (kind === 0o040000) return directoryMode;
  return kind === 0o120000 ? "120000" : "160000";
}
