import { expect, test } from "vitest";
import { linkHazards } from "./link-hazards.ts";
import { collisionHazards, isGitLikeName, nameHazards } from "./name-hazards.ts";
import { decodePath, encodePath } from "./path-bytes.ts";
import { isTrueBinary } from "./true-binary.ts";

test.each([
  ".git",
  ".GIT",
  ".Git",
  "git~1",
  "GIT~1",
  ".git ",
  ".git.",
  ".git. .",
  ".g\u200cit",
  "\ufeff.git",
  ".git::$INDEX_ALLOCATION",
  ".git\\config",
  "．git",
])("[E13] the name %j can be taken for .git", (name) => {
  expect(isGitLikeName(name)).toBe(true);
});

test.each([".gitignore", ".gitattributes", ".github", "git", "git~10", "legit", ".git-blame-ignore-revs", "a.git"])(
  "%s is an honest name",
  (name) => {
    expect(isGitLikeName(name)).toBe(false);
  },
);

test.each([
  ["a\nb", "control-character"],
  ["a\x1b[2Jb", "control-character"],
  ["a\x7f", "control-character"],
  ["exe\u202etxt", "control-character"],
  ["sub/.GIT/config", "git-like-name"],
])("[E13] the name %j is a hazard", (name, kind) => {
  expect(nameHazards(encodePath(name)).map((hazard) => hazard.kind)).toContain(kind);
});

test("[E13] a name that is not UTF-8 is a hazard and shown byte by byte", () => {
  expect(nameHazards("a\xffb")).toEqual([{ kind: "invalid-utf8", path: "a\\xffb", detail: "the name is not UTF-8" }]);
  expect(decodePath("\xc3\xa9\xc3")).toEqual({ path: "é\\xc3", valid_utf8: false });
});

test("[E13] a new file that another machine takes for an existing one is a hazard", () => {
  const all = ["src", "src/A.ts", "src/a.ts", "Src", "Src/x", encodePath("caf\u00e9"), encodePath("cafe\u0301")];
  const paths = (added: readonly string[]) => collisionHazards(added, all).map((hazard) => hazard.path);
  expect(paths(["src/a.ts"])).toEqual(["src", "src/a.ts"]);
  expect(paths(["Src/x"])).toEqual(["Src"]);
  expect(paths([encodePath("cafe\u0301")])).toEqual(["cafe\u0301"]);
  expect(paths([])).toEqual([]);
});

test.each([
  ["an absolute target", { l: "/etc/passwd" }, ["l"]],
  ["a climb out", { "a/l": "../../x" }, ["a/l"]],
  ["a climb that stays", { "a/l": "../x" }, []],
  ["a climb through another link", { "d/l": "..", x: "d/l/../y" }, ["x"]],
  ["a circle", { a: "b", b: "a" }, ["a", "b"]],
  ["a way into .git", { l: ".git/config" }, ["l"]],
  ["a target that does not exist", { l: "nowhere" }, []],
])("[E4] symlinks: %s", (_, links, out) => {
  const all = new Map(Object.entries(links));
  expect(linkHazards(all, new Set(all.keys())).map((hazard) => hazard.path)).toEqual(out);
});

test("[E4] an old symlink that now leads out through a changed one is a hazard; a bad one from base alone is not", () => {
  const links = new Map([
    ["old", "new/x"],
    ["new", "/etc"],
    ["base", "/usr"],
  ]);
  expect(linkHazards(links, new Set(["new"])).map((hazard) => hazard.path)).toEqual(["old", "new"]);
});

const png = Buffer.from("89504e470d0a1a0a0000", "hex");

test.each([
  ["logo.png", png, true],
  ["LOGO.PNG", png, true],
  ["logo.ts", png, false],
  ["logo.png", Buffer.from("export const x = 1;\0"), false],
  ["a.ts", Buffer.from("\0\0\0"), false],
  [".png", png, false],
  ["a.pdf", Buffer.from("%PDF-1.7"), true],
  ["a.woff2", Buffer.from("wOF2...."), true],
  ["a.wasm", Buffer.from("0061736d01000000", "hex"), true],
  ["empty.png", Buffer.alloc(0), false],
])("[E13] %s: extension and magic must agree", (path, bytes, expected) => {
  expect(isTrueBinary(path, bytes)).toBe(expected);
});
