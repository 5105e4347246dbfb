import type { ChangeHazard, HazardKind } from "./hazard.ts";
import { type BytePath, decodePath } from "./path-bytes.ts";

type Range = readonly [number, number];

// Code points that HFS+ or Unicode call ignorable when names are compared.
const invisible: readonly Range[] = [
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x180e, 0x180e],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
];
// C0, DEL, C1, line ends, and the marks that turn the direction of text around.
const control: readonly Range[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0x61c, 0x61c],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2066, 0x2069],
];
const gitNames: ReadonlySet<string> = new Set([".git", "git~1"]);

/** Whether some file system would take a name for `.git`: by case, by dropped code points, by NTFS's short names and endings. */
export function isGitLikeName(name: string): boolean {
  const folded = withoutInvisible(name).normalize("NFKC").toLowerCase();
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
  if (Array.from(path).some((char) => isWithin(char, control)))
    found.push(["control-character", "the name holds a control character"]);
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

function isWithin(char: string, ranges: readonly Range[]): boolean {
  const code = char.codePointAt(0) ?? 0;
  return ranges.some(([low, high]) => code >= low && code <= high);
}

function withoutInvisible(name: string): string {
  return Array.from(name)
    .filter((char) => !isWithin(char, invisible))
    .join("");
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
