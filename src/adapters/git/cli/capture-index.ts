import { copyFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { type BytePath, decodePath } from "../../../core/change/index.ts";
import { TrueupError } from "../../../errors.ts";
import type { CapturedTree } from "../../../ports/index.ts";
import { type LocalRepository, repositoryAt } from "./find-work-tree.ts";
import { type GitCall, runGit } from "./git-process.ts";
import { type MirrorContext, withScratch, writePlainRepository } from "./mirror-store.ts";
import { createObjectWriter } from "./object-writer.ts";
import { readObjectsBy, readSizes } from "./read-objects.ts";
import { type TreeItem, type TreeListing, writeTree } from "./tree-objects.ts";

const stageLine = /^([0-7]{6}) ([0-9a-f]{40}|[0-9a-f]{64}) ([0-3])\t(.+)$/su;

/**
 * Captures what a user has staged, from a copy of the index file, without any git in the user's repository. Only paths
 * and ids are taken from it; its cached trees are not believed, and each blob that is new is hashed again.
 */
export async function captureIndex(
  context: MirrorContext,
  base: TreeListing,
  { workTree, indexFile }: { readonly workTree: string; readonly indexFile: string | null },
): Promise<CapturedTree> {
  const repository = await repositoryAt(workTree);
  if (repository === null) throw new TrueupError("not-a-repository", { subject: workTree });
  return withScratch(context, async (scratch) => {
    const call = await copyIndex(context, { repository, indexFile }, scratch);
    const items = await readIndex(context, call, workTree);
    const writer = createObjectWriter(context, () => false);
    await importBlobs(context, { call, base, items, add: (bytes) => writer.add("blob", bytes) });
    const tree = await writeTree(items, base, writer);
    await writer.flush();
    return { tree, ignored: 0, hazards: [], undetermined: [] };
  });
}

/** A bare repository of our own around a copy of the index, borrowing the user's objects. */
async function copyIndex(
  context: MirrorContext,
  { repository, indexFile }: { readonly repository: LocalRepository; readonly indexFile: string | null },
  scratch: string,
): Promise<Pick<GitCall, "gitDirectory" | "env">> {
  const gitDirectory = join(scratch, "index.git");
  await writePlainRepository(gitDirectory, context.objectFormat);
  const index = join(gitDirectory, "index");
  const source = indexFile ?? join(repository.gitDirectory, "index");
  try {
    await copyFile(source, index);
    for (const name of await readdir(repository.gitDirectory))
      if (name.startsWith("sharedindex."))
        await copyFile(join(repository.gitDirectory, name), join(gitDirectory, name));
  } catch (error) {
    throw new TrueupError("file-unreadable", { subject: source, cause: error });
  }
  const objects = join(repository.commonDirectory, "objects");
  return {
    gitDirectory,
    env: {
      GIT_INDEX_FILE: index,
      GIT_OBJECT_DIRECTORY: join(context.place.directory, "objects"),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(objects),
    },
  };
}

async function readIndex(
  context: MirrorContext,
  call: Pick<GitCall, "gitDirectory" | "env">,
  workTree: string,
): Promise<Map<BytePath, TreeItem>> {
  const staged = await runGit(context.settings, { ...call, args: ["ls-files", "--cached", "--stage", "-z"] });
  const records = staged.stdout.toString("latin1").split("\0");
  if (records.pop() !== "")
    throw new TrueupError("git-facts-undecodable", { subject: workTree, detail: "the index listing was cut" });
  const items = new Map<BytePath, TreeItem>();
  for (const record of records) {
    const [, mode = "", id = "", stage = "", path = ""] = stageLine.exec(record) ?? [];
    if (path === "")
      throw new TrueupError("git-facts-undecodable", { subject: workTree, detail: "not an index entry" });
    if (stage !== "0") throw new TrueupError("index-unmerged", { subject: decodePath(path).path });
    items.set(path, { mode, id });
  }
  const promised = await findIntentToAdd(context, call, items);
  if (promised !== null)
    throw new TrueupError("index-unmerged", {
      subject: decodePath(promised).path,
      detail: "it is marked intent-to-add and has no content",
    });
  return items;
}

/** `git add -N` leaves a name with an empty blob's id; git's own diff of the index leaves such names out. */
async function findIntentToAdd(
  context: MirrorContext,
  call: Pick<GitCall, "gitDirectory" | "env">,
  items: ReadonlyMap<BytePath, TreeItem>,
): Promise<BytePath | null> {
  const empty = (
    await runGit(context.settings, {
      ...call,
      args: ["hash-object", "-t", "tree", "-w", "--stdin"],
      input: Buffer.alloc(0),
    })
  ).stdout
    .toString("latin1")
    .trim();
  const args = [
    "diff-index",
    "--cached",
    "--ita-invisible-in-index",
    "--no-renames",
    "--name-only",
    "-z",
    "--ignore-submodules=none",
    empty,
  ];
  const names = new Set((await runGit(context.settings, { ...call, args })).stdout.toString("latin1").split("\0"));
  return [...items.keys()].find((path) => !names.has(path)) ?? null;
}

interface ImportRequest {
  readonly call: Pick<GitCall, "gitDirectory" | "env">;
  readonly base: TreeListing;
  readonly items: ReadonlyMap<BytePath, TreeItem>;
  readonly add: (bytes: Uint8Array) => Promise<string>;
}

/** Brings blobs that the mirror lacks into it, each only if its bytes have the id the index gives. */
async function importBlobs(context: MirrorContext, { call, base, items, add }: ImportRequest): Promise<void> {
  const known = new Set([...base.items.values()].map((item) => item.id));
  const wanted = new Set(
    [...items.values()].filter((item) => item.mode !== "160000" && !known.has(item.id)).map((item) => item.id),
  );
  const present = await readSizes(
    async (args, input) =>
      (await runGit(context.settings, { args, input, gitDirectory: context.place.directory })).stdout,
    [...wanted],
  );
  const missing = [...wanted].filter((id) => !present.has(id));
  const added: Promise<string>[] = [];
  await readObjectsBy(context, { ids: missing, call }, (object) => void added.push(add(Buffer.from(object.bytes))));
  const ids = await Promise.all(added);
  const wrong = ids.findIndex((id, index) => id !== missing[index]);
  if (wrong >= 0)
    throw new TrueupError("mirror-broken", {
      subject: missing[wrong] ?? "",
      detail: "a staged blob is not what its id says",
    });
}
