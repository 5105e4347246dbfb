import { lstatSync, readdirSync, readFileSync, type BigIntStats, type Dirent } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import { isIgnored, parseIgnoreFile, type IgnoreFile } from "../../../core/change/ignore-rules.ts";
import { decodePath, type BytePath } from "../../../core/change/path-bytes.ts";

export interface FileWalk {
  /** Absolute, one character a byte. */
  readonly root: BytePath;
  /** Readable paths that base tracks: they count also when they are ignored. Asked only when something is ignored. */
  readonly tracked: () => TrackedPaths;
}

export interface TrackedPaths {
  readonly files: ReadonlySet<string>;
  readonly directories: ReadonlySet<string>;
}

interface Place {
  readonly path: BytePath;
  readonly rules: readonly IgnoreFile[];
  readonly ignored: boolean;
}

/**
 * Tells `onFile` every tracked or unignored path that is no directory, in no particular order, by the rules of `.gitignore` files in the tree alone. Never
 * through a symlink, never into `.git`. Throws `errno` errors: what cannot be read cannot be vouched for.
 */
export async function walkFiles(walk: FileWalk, onFile: (path: BytePath, stats: BigIntStats) => void): Promise<void> {
  const places: Place[] = [{ path: "", rules: [], ignored: false }];
  let turns = 0;
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    if (++turns % 256 === 0) await turn();
    const entries = readdirSync(toSystem(walk.root, place.path), { encoding: "latin1", withFileTypes: true });
    const rules = place.ignored ? place.rules : withIgnoreFile(walk.root, place, entries);
    const below = place.path === "" ? "" : `${place.path}/`;
    const system = toSystem(walk.root, place.path);
    for (const entry of entries) {
      if (entry.name === ".git") continue;
      const path = below + entry.name;
      const ignored = place.ignored || (rules.length > 0 && isIgnored(rules, path, entry.isDirectory()));
      if (ignored && !isTracked(walk, path, entry.isDirectory())) continue;
      if (entry.isDirectory()) places.push({ path, rules, ignored });
      else {
        const plain = typeof system === "string" && isAscii(entry.name);
        onFile(path, lstatSync(plain ? `${system}/${entry.name}` : toSystem(walk.root, path), { bigint: true }));
      }
    }
  }
}

/** A path for system calls; plain text where that is the same bytes. */
export function toSystem(root: BytePath, path: BytePath): string | Buffer {
  const whole = path === "" ? root : `${root}/${path}`;
  return isAscii(whole) ? whole : Buffer.from(whole, "latin1");
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/u.test(text);
}

function isTracked(walk: FileWalk, path: BytePath, isDirectory: boolean): boolean {
  const { files, directories } = walk.tracked();
  return (isDirectory ? directories : files).has(decodePath(path).path);
}

/** Only a regular `.gitignore` counts, as for git. */
function withIgnoreFile(root: BytePath, place: Place, entries: readonly Dirent[]): readonly IgnoreFile[] {
  if (!entries.some((entry) => entry.name === ".gitignore" && entry.isFile())) return place.rules;
  const path = place.path === "" ? ".gitignore" : `${place.path}/.gitignore`;
  return [...place.rules, parseIgnoreFile(place.path, readFileSync(toSystem(root, path)))];
}
