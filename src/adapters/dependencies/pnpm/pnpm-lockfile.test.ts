import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TrueupError } from "../../../errors.ts";
import { parsePnpmLockfile, type PnpmLockfile } from "./pnpm-lockfile.ts";

const sha512 = `sha512-${"A".repeat(86)}==`;
const parse = (text: string): PnpmLockfile => parsePnpmLockfile(new TextEncoder().encode(text), "pnpm-lock.yaml");

function lockOf(more: { version?: string; packages?: string; importers?: string; top?: string } = {}): string {
  return `lockfileVersion: '${more.version ?? "9.0"}'
${more.top ?? ""}importers:
  .:
    dependencies:
      a:
        specifier: ^1.0.0
        version: 1.2.3(b@2.0.0)
${more.importers ?? ""}
packages:
  a@1.2.3:
    resolution: {integrity: ${sha512}}
${more.packages ?? ""}`;
}

function refusal(text: string): string {
  try {
    parse(text);
    return "accepted";
  } catch (error) {
    if (error instanceof TrueupError) return error.code;
    throw error;
  }
}

test("packages, importers and their locked versions are read, peers left out of the version", () => {
  const lock = parse(lockOf({ packages: `  '@o/s@2.0.0-rc.1':\n    resolution: {integrity: ${sha512}}\n` }));
  expect(lock.packages).toEqual([
    { name: "a", version: "1.2.3", integrity: sha512 },
    { name: "@o/s", version: "2.0.0-rc.1", integrity: sha512 },
  ]);
  expect(lock.importers.get("")?.get("a")).toBe("1.2.3");
});

test("version 6 is read too, also without importers", () => {
  const text = `lockfileVersion: '6.0'
dependencies:
  a:
    specifier: ^1.0.0
    version: 1.2.3
packages:
  /a@1.2.3(b@2.0.0):
    resolution: {integrity: ${sha512}}
`;
  expect(parse(text)).toMatchObject({ version: "6", packages: [{ name: "a", version: "1.2.3" }] });
  expect(parse(text).importers.get("")?.get("a")).toBe("1.2.3");
});

test("addresses of a registry are dropped from what pnpm is given, in either style; nothing else is", () => {
  const flow = `  b@2.0.0:\n    resolution: {integrity: ${sha512}, tarball: https://r.example/b/-/b-2.0.0.tgz}\n`;
  const block = `  c@3.0.0:\n    resolution:\n      integrity: ${sha512}\n      tarball: https://r.example/c/-/c-3.0.0.tgz\n`;
  const { text, packages } = parse(lockOf({ packages: flow + block }));
  expect(packages).toHaveLength(3);
  expect(text).not.toContain("tarball");
  expect(text).toContain(`resolution: {integrity: ${sha512}}`);
  expect(text).toContain(`resolution:\n      integrity: ${sha512}\n`);
});

describe("[F2] a lockfile that names evidence we cannot have is refused before anything is fetched", () => {
  test.each([
    ["not YAML", "a: [", "lockfile-invalid"],
    ["empty", "", "lockfile-invalid"],
    ["a repeated key", "lockfileVersion: '9.0'\nlockfileVersion: '9.0'\n", "lockfile-invalid"],
    ["an alias bomb", "a: &a [1]\nb: [*a, *a]\nlockfileVersion: '9.0'\n", "lockfile-invalid"],
    ["an old version", lockOf({ version: "5.4" }), "lockfile-unsupported"],
    ["a later version", lockOf({ version: "10.0" }), "lockfile-unsupported"],
    ["no version", "packages: {}\n", "lockfile-unsupported"],
    ["a package without integrity", lockOf({ packages: "  b@1.0.0:\n    resolution: {}\n" }), "lockfile-invalid"],
    [
      "a weak word for integrity",
      lockOf({ packages: "  b@1.0.0:\n    resolution: {integrity: md5-AAAA}\n" }),
      "lockfile-invalid",
    ],
    [
      "git",
      lockOf({ packages: "  b@1.0.0:\n    resolution: {type: git, repo: https://g.example/b, commit: abc}\n" }),
      "unsupported-dependency",
    ],
    [
      "git by its name",
      lockOf({ packages: `  b@git+https://g.example/b#abc:\n    resolution: {integrity: ${sha512}}\n` }),
      "unsupported-dependency",
    ],
    [
      "a tarball of another host's own",
      lockOf({ packages: `  b@1.0.0:\n    resolution: {integrity: ${sha512}, tarball: https://c.example/b.tgz}\n` }),
      "unsupported-dependency",
    ],
    [
      "a directory that is no member",
      lockOf({ importers: "      b:\n        specifier: link:../b\n        version: link:../b\n" }),
      "unsupported-dependency",
    ],
    [
      "a file",
      lockOf({ importers: "      b:\n        specifier: file:b.tgz\n        version: file:b.tgz\n" }),
      "unsupported-dependency",
    ],
    ["a hook of its own", lockOf({ top: "pnpmfileChecksum: abc\n" }), "unsupported-dependency"],
  ])("%s", (_name, text, code) => {
    expect(refusal(text)).toBe(code);
  });

  test("a link to another member is none of them", () => {
    const importers =
      "      b:\n        specifier: workspace:*\n        version: link:packages/b\n  packages/b:\n    dependencies: {}\n";
    expect(parse(lockOf({ importers })).importers.get("")?.get("b")).toBe("link:packages/b");
  });
});

test("any text is read or refused, never an error of another kind", () => {
  const words = fc.constantFrom(
    "lockfileVersion: '9.0'\n",
    "packages:\n",
    "  a@1.0.0:\n",
    "    resolution: ",
    "{",
    "}",
    "-",
    ": ",
    "\n",
    "&a",
    "*a",
    "!!js",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(words).map((all) => all.join("")),
      ),
      (text) => {
        expect(refusal(text)).toMatch(/^(?:accepted|lockfile-|unsupported-)/u);
      },
    ),
  );
});
