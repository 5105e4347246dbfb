import type { ChangeHazard, HazardKind } from "../change/hazard.ts";
import type { Digest } from "../digest.ts";

/** One changed path, as the raw diff of base tree against captured tree gives it. Modes are six octal digits, ids full hex. */
export interface ChangeEntry {
  /** Repository-relative, `/` separated. Bytes that are not UTF-8 stand as `\xHH` and `valid_utf8` is false. */
  readonly path: string;
  readonly valid_utf8: boolean;
  readonly status: "added" | "deleted" | "modified" | "type-changed";
  readonly old_mode: string;
  readonly new_mode: string;
  readonly old_id: string;
  readonly new_id: string;
  /** Lines, counted with every file forced to text. */
  readonly added_lines: number;
  readonly deleted_lines: number;
  /** Size of the new blob in bytes; 0 when deleted. */
  readonly bytes: number;
  /** True only when extension and magic bytes agree that this is a binary format; then lines do not count. */
  readonly true_binary: boolean;
}

export type { ChangeHazard, HazardKind };

/** The answer to one `file_contains` or `file_excludes` item, read from the blob of the captured tree. */
export interface ContentFact {
  readonly path: string;
  readonly text: string;
  /** `file` a regular file; `symlink`, `submodule` and `missing` are never read through. */
  readonly kind: "file" | "symlink" | "submodule" | "missing";
  readonly found: boolean;
}

/** Something that makes the git facts incomplete; the verdict is then `undetermined`. */
export interface Undetermined {
  readonly code: string;
  readonly subject: string;
  readonly detail: string;
}

/** A changed path of the protected table (contract.md), with the row that protects it: `lockfile`, `manifest scripts`. */
export interface ProtectedChange {
  readonly path: string;
  readonly reason: string;
}

/** What changed between base commit and captured tree, from bytes in zone A. */
export interface ChangeFacts {
  readonly base_commit: string;
  readonly base_tree: string;
  /** The one tree that is captured, tested and published. */
  readonly tree: string;
  readonly object_format: "sha1" | "sha256";
  /** Sorted by path. */
  readonly entries: readonly ChangeEntry[];
  readonly added_lines: number;
  readonly deleted_lines: number;
  readonly changed_bytes: number;
  readonly hazards: readonly ChangeHazard[];
  readonly contents: readonly ContentFact[];
  /** Every changed protected path, whether or not a contract opens it; sorted by path. */
  readonly protected_changes: readonly ProtectedChange[];
  readonly change_digest: Digest;
  readonly same_edit_key: Digest;
  /** Digest of the exact patch bytes (`diff.patch`). */
  readonly patch_digest: Digest;
  readonly undetermined: readonly Undetermined[];
}
