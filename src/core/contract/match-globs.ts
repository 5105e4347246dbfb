import picomatch from "picomatch";
import { validatePath } from "./path-language.ts";

/** One segment of a glob: `**`, or a test of one path segment. */
type Segment = "any" | ((text: string) => boolean);

/**
 * Compiles globs once for many paths; the result says whether one of them matches, case counted. A glob always matches
 * the path that is spelled the same; an invalid one matches nothing else. The language is that of `validatePath`.
 */
export function compileGlobs(globs: readonly string[]): (path: string) => boolean {
  const spelled = new Set(globs);
  const compiled = globs
    .filter((glob) => /[*?{]/u.test(glob) && validatePath(glob, "glob") === null)
    .flatMap((glob) => expandBraces(glob).map((each) => each.split("/").map(compileSegment)));
  return (path) => {
    if (spelled.has(path)) return true;
    const parts = path.split("/");
    return compiled.some((segments) => matchesSegments(segments, parts));
  };
}

/** True when one of the globs matches the path. For many paths `compileGlobs` is far cheaper. */
export function matchesAny(globs: readonly string[], path: string): boolean {
  return compileGlobs(globs)(path);
}

function expandBraces(glob: string): readonly string[] {
  const group = /\{([^{}]*)\}/u.exec(glob);
  if (group === null) return [glob];
  const [before, after] = [glob.slice(0, group.index), glob.slice(group.index + group[0].length)];
  return (group[1] ?? "").split(",").flatMap((choice) => expandBraces(before + choice + after));
}

function compileSegment(segment: string): Segment {
  if (segment === "**") return "any";
  if (!/[*?]/u.test(segment)) return (text) => text === segment;
  const literal = segment.replace(/[[\]()|+@!$^]/gu, String.raw`\$&`);
  return picomatch(literal, options);
}

const options = {
  dot: true,
  noextglob: true,
  nonegate: true,
  nocase: false,
  strictSlashes: true,
  windows: false,
  // Without it `*` stops at a newline in a name, and a forbidden path could hide behind one.
  flags: "s",
} as const;

/**
 * Matches segment by segment, each pair looked at once: `**` is any number of segments, but at the end at least one.
 * `reachable[n]`: the glob's segments so far match the first n segments of the path.
 */
function matchesSegments(segments: readonly Segment[], parts: readonly string[]): boolean {
  if (!mayMatch(segments.at(0), parts.at(0)) || !mayMatch(segments.at(-1), parts.at(-1))) return false;
  let reachable = [true, ...parts.map(() => false)];
  segments.forEach((segment, index) => {
    const last = index === segments.length - 1;
    const next = reachable.map(() => false);
    for (let at = 0, open = false; at <= parts.length; at += 1) {
      if (segment === "any") {
        next[at] = last ? open : open || reachable[at] === true;
        open ||= reachable[at] === true;
      } else if (at > 0) next[at] = reachable[at - 1] === true && segment(parts[at - 1] ?? "");
    }
    reachable = next;
  });
  return reachable[parts.length] === true;
}

/** Looks at one end only: most paths fail here, and cheaply. */
function mayMatch(segment: Segment | undefined, part: string | undefined): boolean {
  return typeof segment !== "function" || (part !== undefined && segment(part));
}
