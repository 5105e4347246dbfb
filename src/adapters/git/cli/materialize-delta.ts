import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { type BytePath, compareBytes } from "../../../core/change/index.ts";
import { TrueupError } from "../../../errors.ts";
import { lastLines } from "./git-failure.ts";
import { makeDirectory, toBytes, writeItems } from "./materialize.ts";
import type { MirrorContext } from "./mirror-store.ts";
import type { TreeListing } from "./tree-objects.ts";
import { absolute } from "./walk-directory.ts";

/** Paths per `mknod` shell, well below the longest argument list. */
const batch = 500;

/**
 * Writes an overlay layer that turns a checkout of `base` into one of `tree`: changed files in full, and a 0:0 character
 * device wherever something of base must vanish. A directory that was a file needs no mark; a file that was a directory
 * simply covers it.
 */
export async function materializeDelta(
  context: MirrorContext,
  trees: { readonly base: TreeListing; readonly tree: TreeListing },
  directory: string,
): Promise<void> {
  const { base, tree } = trees;
  const root = toBytes(directory);
  mkdirSync(directory, { recursive: true });
  const changed = [...tree.items].filter(([path, item]) => {
    const old = base.items.get(path);
    return old?.id !== item.id || old.mode !== item.mode;
  });
  const removed = topmostRemoved(base, tree);
  const parents = new Set([...changed.map(([path]) => path), ...removed].flatMap(parentsOf));
  for (const path of [...parents].toSorted(compareBytes)) makeDirectory(root, path);
  await writeItems(context, root, changed);
  await writeWhiteouts(
    removed.map((path) => absolute(root, path)),
    context.settings.path,
  );
}

/** What base has and the tree has not, named once: a directory that vanished whole stands for all below it. */
function topmostRemoved(base: TreeListing, tree: TreeListing): readonly BytePath[] {
  const exists = (path: BytePath): boolean => tree.items.has(path) || tree.directories.has(path);
  const removed = new Set<BytePath>();
  for (const path of base.items.keys()) {
    if (exists(path)) continue;
    const gone = [...parentsOf(path), path].find((part) => !exists(part)) ?? path;
    // Below a path that is a file now there is nothing to hide.
    if (!parentsOf(gone).some((parent) => tree.items.has(parent))) removed.add(gone);
  }
  return [...removed];
}

function parentsOf(path: BytePath): readonly BytePath[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

/** Node cannot make devices; coreutils can. Paths travel as bytes on standard input. */
async function writeWhiteouts(paths: readonly Buffer[], searchPath: string): Promise<void> {
  for (let at = 0; at < paths.length; at += batch) {
    const input = Buffer.concat(paths.slice(at, at + batch).flatMap((path) => [path, Buffer.from([0])]));
    const child = spawn("xargs", ["-0", "-r", "-I{}", "mknod", "--", "{}", "c", "0", "0"], {
      env: { PATH: searchPath, LC_ALL: "C" },
      stdio: ["pipe", "ignore", "pipe"],
    });
    let errors = "";
    child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString("utf8")));
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    const [code] = (await once(child, "close")) as [number | null];
    if (code !== 0) throw new TrueupError("sandbox-failed", { subject: "mknod", detail: lastLines(errors) });
  }
}
