import {
  type BytePath,
  collisionHazards,
  decodeChanges,
  decodePatch,
  decodePath,
  digestChange,
  entryHazards,
  isTrueBinary,
  linkHazards,
  maybeBinary,
  type RawChange,
} from "../../../core/change/index.ts";
import { compareText, sha256 } from "../../../core/digest.ts";
import type { ChangeEntry, ChangeFacts, ChangeHazard } from "../../../core/facts/index.ts";
import { TrueupError } from "../../../errors.ts";
import type { CapturedTree, CommitRef } from "../../../ports/index.ts";
import { type ContentPair, readContents } from "./contents.ts";
import { readCanonicalPatch, readChangeRecords, readExactPatch } from "./diff-trees.ts";
import { runGit } from "./git-process.ts";
import type { MirrorContext } from "./mirror-store.ts";
import { readObjects, readSizes } from "./read-objects.ts";
import type { TreeListing } from "./tree-objects.ts";

export interface ChangeFactsRequest {
  readonly base: CommitRef;
  readonly captured: CapturedTree;
  readonly pairs: readonly ContentPair[];
  /** The captured tree in full. */
  readonly listing: TreeListing;
}

/** Every fact about base against a captured tree, each from its own strict decoder. */
export async function readChangeFacts(context: MirrorContext, request: ChangeFactsRequest): Promise<ChangeFacts> {
  const { base, captured, listing } = request;
  const [records, canonical, patch] = await Promise.all([
    readChangeRecords(context, base.tree, captured.tree),
    readCanonicalPatch(context, base.tree, captured.tree),
    readExactPatch(context, base.tree, captured.tree),
  ]);
  const changes = required(
    decodeChanges(records, {
      idLength: context.objectFormat === "sha256" ? 64 : 40,
      differ: base.tree !== captured.tree,
    }),
  );
  const [binaries, sizes, links] = await Promise.all([
    findBinaries(context, changes),
    readSizes(
      async (args, input) =>
        (await runGit(context.settings, { args, input, gitDirectory: context.place.directory })).stdout,
      changes.filter((change) => isBlob(change.new_mode)).map((change) => change.new_id),
    ),
    readLinks(context, changes, listing),
  ]);
  const digests = required(digestChange({ changes, sections: required(decodePatch(canonical)), binaries }));
  const entries = changes.map((change) => toEntry(change, binaries.has(change.path), sizeOf(change, sizes)));
  const counted = entries.filter((entry) => !entry.true_binary);
  return {
    base_commit: base.commit,
    base_tree: base.tree,
    tree: captured.tree,
    object_format: context.objectFormat,
    entries: entries.toSorted((a, b) => compareText(a.path, b.path)),
    added_lines: sum(counted.map((entry) => entry.added_lines)),
    deleted_lines: sum(counted.map((entry) => entry.deleted_lines)),
    changed_bytes: sum(entries.map((entry) => entry.bytes)),
    hazards: sortHazards([
      ...captured.hazards,
      ...changes.flatMap(entryHazards),
      ...collisions(changes, listing),
      ...links,
    ]),
    contents: await readContents(context, listing, request.pairs),
    // Which of these are protected is known to the gathering step, which reads manifests on both sides.
    protected_changes: [],
    ...digests,
    patch_digest: sha256(patch),
    undetermined: captured.undetermined,
  };
}

function required<T>(decoded: { ok: true; value: T } | { ok: false; problem: string }): T {
  if (!decoded.ok) throw new TrueupError("git-facts-undecodable", { detail: decoded.problem });
  return decoded.value;
}

function toEntry(change: RawChange, true_binary: boolean, bytes: number): ChangeEntry {
  const status = ({ A: "added", D: "deleted", M: "modified", T: "type-changed" } as const)[change.status];
  const { old_mode, new_mode, old_id, new_id, added, deleted } = change;
  return {
    ...decodePath(change.path),
    status,
    old_mode,
    new_mode,
    old_id,
    new_id,
    added_lines: added,
    deleted_lines: deleted,
    bytes,
    true_binary,
  };
}

function sizeOf(change: RawChange, sizes: ReadonlyMap<string, number>): number {
  if (!isBlob(change.new_mode)) return 0;
  const size = sizes.get(change.new_id);
  if (size === undefined)
    throw new TrueupError("mirror-broken", { subject: change.new_id, detail: "a changed blob is missing" });
  return size;
}

/** Paths whose every side is a true binary by extension and magic; a side that is text makes the whole change text. */
async function findBinaries(context: MirrorContext, changes: readonly RawChange[]): Promise<ReadonlySet<BytePath>> {
  const sides = changes
    .filter((change) => maybeBinary(change.path))
    .flatMap((change) => [
      { path: change.path, mode: change.old_mode, id: change.old_id },
      { path: change.path, mode: change.new_mode, id: change.new_id },
    ])
    .filter((side) => side.mode !== "000000");
  const found = new Set(sides.map((side) => side.path));
  const files = sides.filter((side) => side.mode.startsWith("100"));
  for (const side of sides) if (!side.mode.startsWith("100")) found.delete(side.path);
  await readObjects(
    context,
    files.map((side) => side.id),
    (object, index) => {
      const path = files[index]?.path ?? "";
      if (!isTrueBinary(path, object.bytes)) found.delete(path);
    },
  );
  return found;
}

/** Symlinks that lead out. All of the tree's links are read only when the change touches one. */
async function readLinks(
  context: MirrorContext,
  changes: readonly RawChange[],
  listing: TreeListing,
): Promise<readonly ChangeHazard[]> {
  const changed = new Set(changes.filter((change) => change.new_mode === "120000").map((change) => change.path));
  if (changed.size === 0) return [];
  const all = [...listing.items].filter(([, item]) => item.mode === "120000");
  const targets = new Map<BytePath, BytePath>();
  await readObjects(
    context,
    all.map(([, item]) => item.id),
    (object, index) => {
      targets.set(all[index]?.[0] ?? "", object.bytes.toString("latin1"));
    },
  );
  return linkHazards(targets, changed);
}

function collisions(changes: readonly RawChange[], listing: TreeListing): readonly ChangeHazard[] {
  const added = changes.filter((change) => change.status === "A").map((change) => change.path);
  const all = [...listing.items.keys(), ...[...listing.directories.keys()].filter((path) => path !== "")];
  return collisionHazards(added, all);
}

function isBlob(mode: string): boolean {
  return mode !== "000000" && mode !== "160000";
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Sorted, and each danger once: the walker and the diff may both have seen it. */
function sortHazards(hazards: readonly ChangeHazard[]): readonly ChangeHazard[] {
  const once = new Map(hazards.map((hazard) => [`${hazard.path}\0${hazard.kind}`, hazard] as const));
  return [...once].toSorted(([a], [b]) => compareText(a, b)).map(([, hazard]) => hazard);
}
