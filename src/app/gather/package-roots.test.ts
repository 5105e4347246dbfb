import { expect, test } from "vitest";
import type { TreeReader } from "../../ports/index.ts";
import { normalDirectory, packageRootsOf } from "./package-roots.ts";

function reader(...paths: string[]): TreeReader {
  return {
    tree: "t",
    entries: paths.map((path) => ({ path, mode: "100644", id: "0", size: 1 })),
    read: async () => null,
  };
}

const tests = (...cwds: (string | undefined)[]) => ({
  tests: cwds.map((cwd) => ({ command: "npx vitest run", passed: 1, ...(cwd === undefined ? {} : { cwd }) })),
});

test.each([
  ["no contract installs at the root", reader("package.json", "package-lock.json"), null, [""]],
  ["a package below with its own lockfile", reader("web/package.json", "web/package-lock.json"), tests("web"), ["web"]],
  [
    "a workspace package uses the lockfile above it",
    reader("package-lock.json", "package.json", "web/package.json"),
    tests("web"),
    [""],
  ],
  [
    "no lockfile anywhere: the nearest manifest, so that the refusal names it",
    reader("package.json", "web/package.json"),
    tests("web"),
    ["web"],
  ],
  ["no manifest: nothing to install", reader("README.md"), tests(undefined), []],
  [
    "two packages, each once",
    reader("a/package-lock.json", "b/package-lock.json"),
    tests("a", "b", "a/src"),
    ["a", "b"],
  ],
])("%s", (_name, tree, contract, roots) => {
  expect(packageRootsOf(tree, contract)).toEqual(roots);
});

test.each([
  ["", ""],
  [".", ""],
  ["./web/", "web"],
  ["web//app", "web/app"],
])("the directory %j is %j", (given, wanted) => {
  expect(normalDirectory(given)).toBe(wanted);
});
