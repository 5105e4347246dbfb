import { createHash } from "node:crypto";
import type { Digest } from "../digest.ts";
import type { RawChange } from "./decode-changes.ts";
import { type Decoded, refused } from "./decoded.ts";
import type { Hunk, PatchSection } from "./decode-patch.ts";

/** Version of the canonical form. A new form is a new number, so that no old branch name is ever met by accident. */
const changeDigestVersion = 1;

/** The names of a change: of the exact edit, and of the edit wherever its lines stand. */
export interface ChangeDigests {
  readonly change_digest: Digest;
  readonly same_edit_key: Digest;
}

/** What the digests are made of. `binaries` are the paths whose blob ids stand for their content. */
export interface DigestInput {
  readonly changes: readonly RawChange[];
  readonly sections: readonly PatchSection[];
  readonly binaries: ReadonlySet<string>;
}

/**
 * Digests of the canonical diff. A text file counts by modes and hunks (blob ids dropped, text after the second `@@`
 * dropped); a true binary by full blob ids. Refuses when patch and raw list do not describe the same files.
 */
export function digestChange(input: DigestInput): Decoded<ChangeDigests> {
  const exact = createHash("sha256").update(`trueup.change-digest/${changeDigestVersion}\n`);
  const anywhere = createHash("sha256").update(`trueup.same-edit-key/${changeDigestVersion}\n`);
  const write = (data: string | Uint8Array): void => {
    exact.update(data);
    anywhere.update(data);
  };
  let next = 0;
  for (const change of input.changes) {
    write(`file ${change.status} ${change.old_mode} ${change.new_mode} ${change.path.length}\n`);
    write(Buffer.from(change.path, "latin1"));
    write("\n");
    // A type change is a deletion and a creation in patch form.
    const own = input.sections.slice(next, next + (change.status === "T" ? 2 : 1));
    next += own.length;
    if (!describes(own, change)) return refused("patch and raw list describe different files");
    if (!countsAgree(own, change)) return refused("patch and numstat count different lines");
    if (input.binaries.has(change.path)) write(`blobs ${change.old_id} ${change.new_id}\n`);
    else for (const hunk of own.flatMap((section) => section.hunks)) writeHunk(hunk, exact, anywhere);
  }
  if (next !== input.sections.length) return refused("the patch has more files than the raw list");
  return {
    ok: true,
    value: { change_digest: `sha256:${exact.digest("hex")}`, same_edit_key: `sha256:${anywhere.digest("hex")}` },
  };
}

function writeHunk(
  hunk: Hunk,
  exact: { update(data: string | Uint8Array): unknown },
  anywhere: { update(data: string | Uint8Array): unknown },
): void {
  exact.update(`@@ -${hunk.old_start},${hunk.old_count} +${hunk.new_start},${hunk.new_count} @@\n`);
  anywhere.update("@@\n");
  exact.update(hunk.body);
  anywhere.update(hunk.body);
}

/** The `index` lines must carry the ids of the raw list; only a pure mode change has none. */
function describes(sections: readonly PatchSection[], change: RawChange): boolean {
  const [first, second] = sections;
  const empty = "0".repeat(change.old_id.length);
  if (first === undefined) return false;
  if (change.status === "T")
    return second !== undefined && same(first, change.old_id, empty) && same(second, empty, change.new_id);
  if (first.old_id === null) return change.old_id === change.new_id && first.hunks.length === 0;
  return same(first, change.old_id, change.new_id);
}

/** A hunk that got lost between git and us shows here. */
function countsAgree(sections: readonly PatchSection[], change: RawChange): boolean {
  const hunks = sections.flatMap((section) => section.hunks);
  const total = (key: "added" | "deleted"): number => hunks.reduce((sum, hunk) => sum + hunk[key], 0);
  return total("added") === change.added && total("deleted") === change.deleted;
}

function same(section: PatchSection, oldId: string, newId: string): boolean {
  return section.old_id === oldId && section.new_id === newId;
}
