import { describe, expect, it } from "vitest";
import { manifestSectionsChanged, protectedSections } from "./manifest-sections.ts";
import { protectedPaths, protectedReason } from "./protected-paths.ts";
import { trustRootByName, trustRootTable } from "./trust-roots.ts";

/** A path that a row's glob must catch, made from the glob. */
const samplesOf = (glob: string): readonly string[] => {
  const plain = glob.replace(/\/\*\*$/u, "/x").replace(/\*/gu, "x");
  if (!glob.startsWith("**/")) return [plain];
  const name = glob
    .slice(3)
    .replace(/\/\*\*$/u, "/x")
    .replace(/\*/gu, "x");
  return [name, `deep/er/${name}`, name.toUpperCase()];
};

const unprotected = [
  "src/a.ts",
  "README.md",
  "docs/agents.md.txt",
  "github/workflows/a.yml",
  "src/.github.ts",
  "src/lockfile.ts",
  "a.gitattributes.txt",
  "packagejson",
];

const manifests: readonly [name: string, base: string | null, head: string | null, changed: readonly string[]][] = [
  ["nothing", '{"scripts":{"a":"b"}}', '{ "scripts": { "a": "b" } }', []],
  ["order of keys", '{"scripts":{"a":"1","b":"2"}}', '{"scripts":{"b":"2","a":"1"}}', []],
  ["the version", '{"version":"1"}', '{"version":"2","description":"x"}', []],
  ["a script", '{"scripts":{"test":"vitest"}}', '{"scripts":{"test":"true"}}', ["scripts"]],
  ["a new script", "{}", '{"scripts":{"pretest":"x"}}', ["scripts"]],
  ["a removed section", '{"overrides":{"a":"1"}}', "{}", ["overrides"]],
  ["two sections", "{}", '{"jest":{},"resolutions":{}}', ["jest", "resolutions"]],
  ["a section nobody knows", "{}", '{"some-new-runner":{}}', ["some-new-runner"]],
  ["a new manifest with scripts", null, '{"name":"a","scripts":{}}', ["scripts"]],
  ["a deleted manifest", '{"scripts":{}}', null, ["scripts"]],
  ["a head that is not JSON", "{}", "{", protectedSections],
  ["a head that is a list", "{}", "[]", protectedSections],
  ["a head with a section twice", '{"scripts":{}}', '{"scripts":{"a":"b"},"scripts":{}}', protectedSections],
  ["a base that is not JSON", "{", "{}", protectedSections],
  ["a head with __proto__", "{}", '{"__proto__":{"scripts":{}}}', protectedSections],
];

describe("protected paths", () => {
  it.each(protectedPaths.map(({ glob, reason }) => [glob, reason] as const))("%s is protected: %s", (glob) => {
    for (const path of samplesOf(glob)) expect(protectedReason(path), path).not.toBeNull();
  });

  it.each(unprotected)("%s is free", (path) => {
    expect(protectedReason(path)).toBeNull();
  });

  it.each(protectedSections)("the section %s of a manifest is protected at any depth", (section) => {
    const context = { baseManifest: "{}", headManifest: JSON.stringify({ [section]: { a: 1 } }) };
    expect(protectedReason("packages/a/package.json", context)).toContain(section);
  });

  it("a manifest whose texts are not known is protected; one with a new version is free", () => {
    expect(protectedReason("package.json")).not.toBeNull();
    expect(protectedReason("package.json", { baseManifest: "{}", headManifest: '{"version":"2"}' })).toBeNull();
  });

  it("allow_protected opens what it names and no more", () => {
    expect(protectedReason(".github/a.yml", { allow: [".github/**"] })).toBeNull();
    expect(protectedReason("package-lock.json", { allow: [".github/**"] })).not.toBeNull();
  });

  it("an override row may be added, never changed", () => {
    const row = `.trueup/overrides/${"a".repeat(64)}.json`;
    expect(protectedReason(row, { status: "added" })).toBeNull();
    expect(protectedReason(row, { status: "modified" })).not.toBeNull();
    expect(protectedReason(".trueup/overrides/x.json", { status: "added" })).not.toBeNull();
  });
});

describe("manifestSectionsChanged", () => {
  it.each(manifests)("%s", (_name, base, head, changed) => {
    expect(manifestSectionsChanged(base, head)).toEqual(changed);
  });
});

describe("trustRootByName", () => {
  const globs = trustRootTable.flatMap((row) => row.globs.map((glob) => [glob, row.what] as const));

  it.each(globs)("[E15] %s is a trust root (%s) at any depth, existing or new", (glob) => {
    for (const path of samplesOf(glob)) expect(trustRootByName(path), path).not.toBeNull();
  });

  it.each([
    "postcss.config.mjs",
    ".postcssrc.js",
    "src/deep/vitest.config.ts",
    ".babelrc",
    ".env.test",
    "tsconfig.build.json",
    "src/node_modules/x/index.js",
    "vitest.workspace.ts",
    ".npmrc",
    "a/package.json",
    "yarn.lock",
    "tests/conftest.py",
    ".gitignore",
    ".gitattributes",
    ".mocharc.yml",
    "Vite.Config.ts",
  ])("[E15] %s steers the tests", (path) => {
    expect(trustRootByName(path)).not.toBeNull();
  });

  it.each(["src/slug.ts", "src/config.ts", "test/a.test.ts", "README.md", "src/environment.ts", "src/package.ts"])(
    "%s does not",
    (path) => {
      expect(trustRootByName(path)).toBeNull();
    },
  );
});
