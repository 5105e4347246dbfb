import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, symlinkSync, writeSync } from "node:fs";
import { type BytePath, compareBytes, decodePath } from "../../../core/change/index.ts";
import { TrueupError } from "../../../errors.ts";
import { storageFailure } from "./git-failure.ts";
import type { MirrorContext } from "./mirror-store.ts";
import { readObjects } from "./read-objects.ts";
import type { TreeItem, TreeListing } from "./tree-objects.ts";
import { absolute } from "./walk-directory.ts";

/** Writes a whole tree to an empty directory: raw bytes, 0644 and 0755, symlinks as they are, no attribute of anyone. */
export async function materialize(context: MirrorContext, listing: TreeListing, directory: string): Promise<void> {
  const root = toBytes(directory);
  mkdirSync(directory, { recursive: true });
  if (readdirSync(directory).length > 0)
    throw new TrueupError("tree-unreadable", { subject: directory, detail: "the directory is not empty" });
  for (const path of [...listing.directories.keys()].toSorted(compareBytes)) if (path !== "") makeDirectory(root, path);
  await writeItems(context, root, [...listing.items]);
}

/** Writes items below a root whose directories exist already. Symlinks come last, so that nothing is written through one. */
export async function writeItems(
  context: MirrorContext,
  root: BytePath,
  items: readonly (readonly [BytePath, TreeItem])[],
): Promise<void> {
  const files = items.filter(([, item]) => item.mode.startsWith("100"));
  const links = items.filter(([, item]) => item.mode === "120000");
  for (const [path, item] of items) if (item.mode === "160000") makeDirectory(root, path);
  await readObjects(
    context,
    files.map(([, item]) => item.id),
    (object, index) => {
      const [path, item] = files[index] ?? ["", null];
      writeFile(root, path, { bytes: object.bytes, mode: item?.mode === "100755" ? 0o755 : 0o644 });
    },
  );
  await readObjects(
    context,
    links.map(([, item]) => item.id),
    (object, index) => {
      const path = links[index]?.[0] ?? "";
      guarded(path, () => symlinkSync(object.bytes, absolute(root, safe(path))));
    },
  );
}

/** Makes one directory below the root, mode 0755; its parent exists. */
export function makeDirectory(root: BytePath, path: BytePath): void {
  guarded(path, () => {
    mkdirSync(absolute(root, safe(path)));
    chmodSync(absolute(root, path), 0o755);
  });
}

/** A path for messages and system calls, one character a byte. */
export function toBytes(path: string): BytePath {
  return Buffer.from(path, "utf8").toString("latin1");
}

function writeFile(root: BytePath, path: BytePath, file: { readonly bytes: Buffer; readonly mode: number }): void {
  guarded(path, () => {
    // Exclusive: a path that stands twice in a damaged tree is an error, not an overwrite.
    const fd = openSync(absolute(root, safe(path)), "wx", file.mode);
    try {
      for (let at = 0; at < file.bytes.length;) at += writeSync(fd, file.bytes, at);
    } finally {
      closeSync(fd);
    }
    if ((file.mode & ~process.umask()) !== file.mode) chmodSync(absolute(root, path), file.mode);
  });
}

/** Refuses parts that would leave the directory or reach a repository's own files. */
function safe(path: BytePath): BytePath {
  for (const part of path.split("/"))
    if (part === "" || part === "." || part === ".." || part === ".git")
      throw new TrueupError("mirror-broken", {
        subject: decodePath(path).path,
        detail: "a tree may not hold such a name",
      });
  return path;
}

function guarded(path: BytePath, act: () => void): void {
  try {
    act();
  } catch (error) {
    throw storageFailure(error, decodePath(path).path);
  }
}
