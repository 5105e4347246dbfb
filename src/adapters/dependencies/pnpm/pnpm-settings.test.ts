import { expect, test } from "vitest";
import { choosePnpm } from "./pnpm-program.ts";
import { parsePnpmSettings } from "./pnpm-settings.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const workspace = (text: string) => ({ path: "pnpm-workspace.yaml", bytes: bytes(text) });

test.each([
  ["a registry", "registry=https://evil.example/"],
  ["a token", "//registry.example/:_authToken=secret"],
  ["a shell", "script-shell=/bin/evil"],
  ["node options", "node-options=--require ./evil.js"],
  ["a hook", "pnpmfile=.evil.cjs"],
  ["a place of its own", "store-dir=/tmp/evil"],
  ["a variable", "hoist=${HOME}"],
])("90: %s of a repository's .npmrc never reaches pnpm", (_name, line) => {
  expect(parsePnpmSettings(null, bytes(`${line}\nshamefully-hoist=true\npublic-hoist-pattern[]=*types*\n`)).npmrc).toBe(
    "shamefully-hoist=true\npublic-hoist-pattern[]=*types*\n",
  );
});

test("the workspace's settings are cut to those that say what is installed", () => {
  const text =
    "packages:\n  - packages/*\noverrides:\n  a: 1.0.0\nregistries:\n  default: https://evil.example/\nstoreDir: /x\n";
  const { workspace: cut } = parsePnpmSettings(workspace(text), null);
  expect(cut).toBe("packages:\n  - packages/*\noverrides:\n  a: 1.0.0\n");
});

test("patches that the workspace names are known", () => {
  expect(parsePnpmSettings(workspace("patchedDependencies:\n  a@1.0.0: patches/a.patch\n"), null).patches).toEqual([
    "patches/a.patch",
  ]);
});

test("code that the settings load into pnpm is refused, and settings that are no map too", () => {
  expect(() => parsePnpmSettings(workspace("configDependencies:\n  p: 1.0.0+sha512-x\n"), null)).toThrow(
    /configDependencies/u,
  );
  expect(() => parsePnpmSettings(workspace("- a\n"), null)).toThrow(/not a map/u);
});

test.each([
  ["pnpm@10.14.0", "9", { version: "10.14.0", integrity: null }],
  ["pnpm@10.14.0-0+sha512.00ff", "9", { version: "10.14.0-0", integrity: "sha512-AP8=" }],
  ["pnpm@12.1.0", "9", { version: "11.28.11", integrity: null }],
  ["npm@11.0.0", "9", { version: "10.34.9", integrity: null }],
  [null, "9", { version: "10.34.9", integrity: null }],
  [null, "6", { version: "8.15.9", integrity: null }],
] as const)("packageManager %s with a lockfile of version %s", (pin, lock, chosen) => {
  expect(choosePnpm(pin, lock)).toEqual(chosen);
});

test.each(["pnpm@latest", "pnpm@^10.0.0", "pnpm@10", "pnpm@10.0.0+md5.00", "pnpm@"])(
  "%s pins nothing: refused",
  (pin) => {
    expect(() => choosePnpm(pin, "9")).toThrow(/packageManager|hash/u);
  },
);
