import type { ChangeHazard, HazardKind } from "./hazard.ts";
import { type BytePath, decodePath } from "./path-bytes.ts";

// Code points that HFS+ drops when it compares names.
const invisible = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u00ad\u034f\u180e\ufe00-\ufe0f]/gu;
// C0, DEL, C1, and the marks that turn the direction of text around.
const control = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const gitNames: ReadonlySet<string> = new Set([".git", "git~1"]);

/** Whether some file system would take a name for `.git`: by case, by dropped code points, by NTFS's short names and endings. */
export function isGitLikeName(name: string): boolean {
  const folded = name.replace(invisible, "").normalize("NFKC").toLowerCase();
  const ntfs = (folded.split(":")[0] ?? "").replace(/[. ]+$/u, "");
  return (
    gitNames.has(folded) ||
    gitNames.has(ntfs) ||
    folded.split("\\").some((part) => gitNames.has(part.replace(/[. ]+$/u, "")))
  );
}

/** Dangers that a new or changed path's name alone shows. */
export function nameHazards(bytes: BytePath): readonly ChangeHazard[] {
  const { path, valid_utf8 } = decodePath(bytes);
  const found: [HazardKind, string][] = [];
  if (!valid_utf8) found.push(["invalid-utf8", "the name is not UTF-8"]);
  if (control.test(path)) found.push(["control-character", "the name holds a control character"]);
  if (path.split("/").some(isGitLikeName)) found.push(["git-like-name", "a part of the path can be taken for .git"]);
  return found.map(([kind, detail]) => ({ kind, path, detail }));
}

/**
 * New paths that another path of the new tree equals once case and Unicode form are folded: on some machines one
 * overwrites the other. `all` is every path of the new tree, directories too.
 */
export function collisionHazards(added: readonly BytePath[], all: readonly BytePath[]): readonly ChangeHazard[] {
  if (added.length === 0) return [];
  const groups = new Map<string, BytePath[]>();
  for (const bytes of all) {
    const key = foldName(bytes);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [bytes]);
    else group.push(bytes);
  }
  return [...new Set(added.flatMap(withParents))].flatMap((bytes) => {
    const other = groups.get(foldName(bytes))?.find((path) => path !== bytes);
    if (other === undefined) return [];
    return [
      {
        kind: "name-collision" as const,
        path: decodePath(bytes).path,
        detail: `the same name as ${decodePath(other).path} on some machines`,
      },
    ];
  });
}

function foldName(bytes: BytePath): string {
  const { path } = decodePath(bytes);
  // Upper, then lower: this also joins letters that differ only in one direction (U+017F, U+212A).
  return path.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
}

function withParents(path: BytePath): readonly BytePath[] {
  const parts = path.split("/");
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}
