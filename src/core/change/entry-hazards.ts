import type { ChangeHazard } from "./hazard.ts";
import type { RawChange } from "./decode-changes.ts";
import { nameHazards } from "./name-hazards.ts";
import { decodePath } from "./path-bytes.ts";

const submodule = "160000";
const regular: ReadonlySet<string> = new Set(["100644", "100755"]);

/** Dangers that one changed entry shows by its modes and name. Deleting a badly named file is no danger. */
export function entryHazards(change: RawChange): readonly ChangeHazard[] {
  const { path } = decodePath(change.path);
  const hazards: ChangeHazard[] = change.status === "D" ? [] : [...nameHazards(change.path)];
  if (change.old_mode === submodule || change.new_mode === submodule)
    hazards.push({ kind: "submodule", path, detail: `mode ${change.old_mode} to ${change.new_mode}` });
  if (
    change.status === "M" &&
    change.old_mode !== change.new_mode &&
    regular.has(change.old_mode) &&
    regular.has(change.new_mode)
  )
    hazards.push({ kind: "mode-changed", path, detail: `mode ${change.old_mode} to ${change.new_mode}` });
  return hazards;
}
