import type { BytePath } from "./path-bytes.ts";
import { compileWildmatch, matchWildmatch, type Wildmatch } from "./wildmatch.ts";

/** One line of a `.gitignore`. */
interface IgnoreRule {
  readonly negated: boolean;
  readonly directoriesOnly: boolean;
  /** Compared with the last name only, because the pattern has no slash. */
  readonly nameOnly: boolean;
  readonly pattern: Wildmatch;
}

/** The rules of one `.gitignore`, and the directory it lies in (empty for the root, else without a trailing slash). */
export interface IgnoreFile {
  readonly directory: BytePath;
  readonly rules: readonly IgnoreRule[];
}

/** Parses a `.gitignore`'s bytes by git's rules; lines that can match nothing are left out. */
export function parseIgnoreFile(directory: BytePath, bytes: Uint8Array): IgnoreFile {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString("latin1")
    .replace(/^\xef\xbb\xbf/u, "");
  const rules = text.split("\n").map(parseLine);
  return { directory, rules: rules.filter((rule) => rule !== null) };
}

/**
 * Whether a path is ignored by the files that apply to it, the nearest last. It does not look at parents: a walker does
 * not descend into an ignored directory, as git does not.
 */
export function isIgnored(files: readonly IgnoreFile[], path: BytePath, isDirectory: boolean): boolean {
  for (let index = files.length - 1; index >= 0; index--) {
    const file = files[index];
    const decided = file === undefined ? null : lastMatch(file, path, isDirectory);
    if (decided !== null) return !decided.negated;
  }
  return false;
}

function lastMatch(file: IgnoreFile, path: BytePath, isDirectory: boolean): IgnoreRule | null {
  const relative = file.directory === "" ? path : path.slice(file.directory.length + 1);
  const name = relative.slice(relative.lastIndexOf("/") + 1);
  for (let index = file.rules.length - 1; index >= 0; index--) {
    const rule = file.rules[index];
    if (rule === undefined || (rule.directoriesOnly && !isDirectory)) continue;
    if (matchWildmatch(rule.pattern, rule.nameOnly ? name : relative)) return rule;
  }
  return null;
}

function parseLine(raw: string): IgnoreRule | null {
  if (raw === "" || raw.startsWith("#")) return null;
  let line = trimTrailingSpaces(raw.endsWith("\r") ? raw.slice(0, -1) : raw);
  const negated = line.startsWith("!");
  if (negated) line = line.slice(1);
  const directoriesOnly = line.endsWith("/");
  if (directoriesOnly) line = line.slice(0, -1);
  const nameOnly = !line.includes("/");
  const body = line.startsWith("/") ? line.slice(1) : line;
  const literal = nameOnly ? 0 : Math.max(0, body.search(/[*?[\\]|$/u));
  const pattern = body === "" ? null : compileWildmatch(body, literal);
  return pattern === null ? null : { negated, directoriesOnly, nameOnly, pattern };
}

/** Unescaped spaces at the end do not count; a backslash keeps the one behind it. */
function trimTrailingSpaces(line: string): string {
  let keep = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === "\\") at += 1;
    else if (line[at] === " ") continue;
    keep = Math.min(at + 1, line.length);
  }
  return line.slice(0, keep);
}
