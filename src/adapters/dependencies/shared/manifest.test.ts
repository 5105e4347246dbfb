import { describe, expect, test } from "vitest";
import { isWorkspace, needsInstall, parseManifest, renderInstallManifest } from "./manifest.ts";

const read = (value: unknown) => parseManifest(new TextEncoder().encode(JSON.stringify(value)), "package.json");

describe("parseManifest", () => {
  test.each([
    ["a list", []],
    ["dependencies as a list", { dependencies: ["a"] }],
    ["a version that is a number", { devDependencies: { a: 1 } }],
    ["workspaces as text", { workspaces: "packages/*" }],
  ])("%s is refused", (_name, value) => {
    expect(() => read(value)).toThrow(/package\.json/u);
  });
});

describe("needsInstall", () => {
  test.each<[string, Record<string, unknown>, boolean, boolean]>([
    ["nothing", {}, false, false],
    ["nothing, with a lockfile", {}, true, false],
    ["empty maps", { dependencies: {}, devDependencies: {} }, false, false],
    ["a development dependency", { devDependencies: { a: "1" } }, false, true],
    ["an optional one", { optionalDependencies: { a: "1" } }, false, true],
    ["a peer alone, no lockfile", { peerDependencies: { a: "1" } }, false, false],
    ["a peer alone, with a lockfile", { peerDependencies: { a: "1" } }, true, true],
    ["workspaces", { workspaces: ["packages/*"] }, false, true],
  ])("%s", (_name, value, hasLockfile, expected) => {
    expect(needsInstall(read(value), hasLockfile)).toBe(expected);
  });
});

describe("isWorkspace", () => {
  const manifest = read({ workspaces: { packages: ["./packages/*", "apps/**/", "!packages/old"] } });
  test.each([
    ["packages/a", true],
    ["apps/x/y", true],
    ["packages/old", false],
    ["packages/a/b", false],
    ["../packages/a", false],
    ["other", false],
  ])("%s: %s", (directory, expected) => {
    expect(isWorkspace(manifest, directory)).toBe(expected);
  });
});

describe("renderInstallManifest", () => {
  test("the repository's own scripts never reach npm, and install scripts are allowed by name unless denied", () => {
    const manifest = read({
      name: "r",
      scripts: { postinstall: "curl evil" },
      overrides: { a: "1" },
      allowScripts: { denied: false },
    });
    expect(JSON.parse(renderInstallManifest(manifest, ["builds", "denied"]))).toEqual({
      name: "r",
      overrides: { a: "1" },
      allowScripts: { builds: true, denied: false },
    });
  });
});
