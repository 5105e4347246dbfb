/** `glob` may hold `*`, `**`, `?` and `{a,b}`; `path` names exactly one file; `directory` may also be `.`, the root. */
export type PathKind = "glob" | "path" | "directory";

const maxPathChars = 1024;
const maxStars = 3;
const maxAlternatives = 64;

/**
 * Says why a path or glob is not allowed in a contract, or null when it is.
 * The language: relative to the repository root, `/` between segments; `*` and `?` stay inside a segment, `**` is a whole
 * segment, `{a,b}` is one level deep, leading dots are ordinary, case counts, and `[ ] ( ) ! + @` stand for themselves.
 */
export function validatePath(path: string, kind: PathKind = "glob"): string | null {
  if (kind === "directory" && path === ".") return null;
  return formFault(path) ?? segmentFault(path) ?? (kind === "glob" ? globFault(path) : plainFault(path));
}

function formFault(path: string): string | null {
  if (path === "") return "is an empty path";
  if (path.length > maxPathChars) return `is longer than ${maxPathChars} characters`;
  if (path.includes("\0")) return "holds a NUL character";
  if (/[\p{Cc}\u2028\u2029]/u.test(path)) return "holds a control character";
  if (!path.isWellFormed()) return "is not text";
  if (path.includes("\\")) return "holds a backslash; segments are separated by /";
  if (path.startsWith("/")) return "is an absolute path; paths are relative to the repository root";
  if (/^[A-Za-z]:(?:\/|$)/u.test(path)) return "is an absolute path with a drive letter";
  return path.startsWith("~/") ? "begins with ~/, which leaves the repository" : null;
}

function segmentFault(path: string): string | null {
  if (path.endsWith("/")) return "ends with /; write `directory/**` for all that is in a directory";
  for (const segment of path.split("/")) {
    if (segment === "") return "has an empty segment (//)";
    for (const piece of segment.split(/[{},]/u)) {
      if (piece === "..") return "leaves the repository (..)";
      if (piece === "." && segment === ".") return "has a segment that is only a dot; leave it out";
      if (/^\.git[. ]*$/iu.test(piece)) return "names the .git directory";
    }
  }
  return null;
}

function plainFault(path: string): string | null {
  return path.includes("*") ? "must name one path, without *" : null;
}

function globFault(glob: string): string | null {
  if (glob.startsWith("!")) return "begins with !; use changed_files_forbidden for what must not change";
  if (glob.split("/").some((segment) => segment.includes("**") && segment !== "**")) {
    return "has ** inside a segment; ** must be a whole segment";
  }
  if (glob.split(/[/{},]/u).some((piece) => (piece.match(/\*/gu)?.length ?? 0) > maxStars)) {
    return `has more than ${maxStars} * in one segment`;
  }
  return braceFault(glob);
}

function braceFault(glob: string): string | null {
  const groups = glob.match(/\{[^{}]*\}/gu) ?? [];
  if (/[{}]/u.test(glob.replace(/\{[^{}]*\}/gu, ""))) return "has a brace that is nested or not closed";
  if (groups.reduce((count, group) => count * group.split(",").length, 1) > maxAlternatives) {
    return `has braces that stand for more than ${maxAlternatives} globs`;
  }
  if (groups.some((group) => !group.includes(","))) return "has braces without a comma; write {a,b}";
  return groups.some((group) => group.includes("..")) ? "has a range in braces; write the names out" : null;
}
