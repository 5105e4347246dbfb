/** Why a new or changed entry is never allowed, whatever the contract says. */
export type HazardKind =
  | "submodule"
  | "git-like-name"
  | "nested-repository"
  | "device-or-socket"
  | "symlink-outside"
  | "name-collision"
  | "control-character"
  | "invalid-utf8"
  | "mode-changed";

/** One danger; `path` in its readable form. */
export interface ChangeHazard {
  readonly kind: HazardKind;
  readonly path: string;
  readonly detail: string;
}
