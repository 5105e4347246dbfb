import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileGlobs, matchesAny } from "./match-globs.ts";
import { validatePath, type PathKind } from "./path-language.ts";

const matches: readonly [glob: string, path: string, expected: boolean][] = [
  ["src/a.ts", "src/a.ts", true],
  ["src/a.ts", "src/a.ts/b", false],
  ["src/a.ts", "x/src/a.ts", false],
  ["src/a.ts", "src/aXts", false],
  ["src", "src/a.ts", false],
  ["SRC/a.ts", "src/a.ts", false],
  ["src/**", "src/a.ts", true],
  ["src/**", "src/.hidden/a", true],
  ["src/**", "src", false],
  ["src/**", "srcs/a", false],
  ["**", "a/b", true],
  ["**/a.ts", "a.ts", true],
  ["**/a.ts", "x/y/a.ts", true],
  ["src/**/a.ts", "src/a.ts", true],
  ["src/**/a.ts", "src/x/y/a.ts", true],
  ["src/*", "src/a/b", false],
  ["src/*", "src/.env", true],
  ["*.ts", "a/b.ts", false],
  ["src/?.ts", "src/a.ts", true],
  ["src/?.ts", "src/ab.ts", false],
  ["src/{a,b}.ts", "src/b.ts", true],
  ["src/{a,b}.ts", "src/c.ts", false],
  ["{src/a,test/b}/*.ts", "test/b/x.ts", true],
  ["app/[id]/page.tsx", "app/[id]/page.tsx", true],
  ["app/[id]/page.tsx", "app/i/page.tsx", false],
  ["app/[id]/*.tsx", "app/[id]/page.tsx", true],
  ["app/[id]/*.tsx", "app/d/page.tsx", false],
  ["app/(group)/*.tsx", "app/(group)/a.tsx", true],
  ["app/(group)/*.tsx", "app/group/a.tsx", false],
  ["app/@modal/*", "app/@modal/a", true],
  ["a+(b)*", "abb", false],
  ["a|b*", "a", false],
  ["src/**", "src/a\nb.ts", true],
  ["src/*", "src/a\nb.ts", true],
  ["src/*.ts", "src/a.ts\n", false],
  ["**/a", "b/a/c", false],
  ["../*", "../a", false],
];

const invalid: readonly [path: string, kind: PathKind, words: string][] = [
  ["", "glob", "empty"],
  ["/a", "glob", "absolute"],
  ["C:/a", "glob", "drive"],
  ["~/a", "glob", "leaves"],
  ["..", "glob", "leaves"],
  ["a/..", "path", "leaves"],
  ["{a,..}/b", "glob", "leaves"],
  ["{a,../b}", "glob", "leaves"],
  ["a//b", "glob", "empty segment"],
  ["a/", "glob", "ends with /"],
  ["./a", "glob", "only a dot"],
  [".", "glob", "only a dot"],
  [".git", "glob", ".git"],
  ["a/.Git/hooks", "path", ".git"],
  ["{a,.git}/x", "glob", ".git"],
  ["a\\b", "glob", "backslash"],
  ["a\0b", "glob", "NUL"],
  ["a\tb", "glob", "control"],
  ["!a", "glob", "begins with !"],
  ["a**b", "glob", "whole segment"],
  ["{a", "glob", "not closed"],
  ["{a,{b,c}}", "glob", "nested"],
  ["{a}", "glob", "comma"],
  ["{1..3,a}", "glob", "range"],
  ["a*b*c*d*", "glob", "more than 3"],
  ["{a,b}".repeat(7), "glob", "more than 64"],
  ["a*", "path", "without *"],
  ["a/*", "directory", "without *"],
  ["a".repeat(2000), "glob", "longer"],
];

describe("path language", () => {
  it.each(matches)("[D2] %s against %j is %s", (glob, path, expected) => {
    expect(matchesAny([glob], path)).toBe(expected);
  });

  it.each(invalid)("[D6] refuses %j as %s", (path, kind, words) => {
    expect(validatePath(path, kind)).toContain(words);
  });

  it.each(["a", ".github/x", ".gitignore", "a b/c", "ä/é", "a...b", ".../x", "app/[...slug]/x"])(
    "accepts %s",
    (path) => {
      expect(validatePath(path, "path")).toBeNull();
    },
  );

  it("accepts the root as a directory only", () => {
    expect(validatePath(".", "directory")).toBeNull();
  });

  it("[D2] a plain path matches itself and nothing else", () => {
    const name = fc.string({ unit: fc.constantFrom(...Array.from("ab.[]()+@!$^|-")), minLength: 1, maxLength: 6 });
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
    fc.assert(
      fc.property(path, path, (glob, other) => {
        expect(matchesAny([glob], other)).toBe(glob === other);
      }),
    );
  });

  it("a glob that would make a backtracking matcher hang answers at once", () => {
    const deep = compileGlobs(["**/a/**/a/**/a/**/a/**/a/**/b"]);
    expect(deep(`${"a/".repeat(2000)}c`)).toBe(false);
  });
});
