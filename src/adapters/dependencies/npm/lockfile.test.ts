import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TrueupError, type ErrorCode } from "../../../errors.ts";
import { checkInStep } from "./lockfile-step.ts";
import { isRegistryTarball } from "../shared/tarball-path.ts";
import { checkSources } from "./lockfile-sources.ts";
import { parseLockfile, renderProxiedLockfile } from "./lockfile.ts";
import { parseManifest } from "../shared/manifest.ts";

const bytes = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
const sha512 = `sha512-${"A".repeat(86)}==`;
const registry = "https://registry.example";

/** A lock over one registry package `a`, with changes. */
function lockOf(packages: Record<string, unknown> = {}, rest: Record<string, unknown> = {}): Uint8Array {
  const a = { version: "1.2.3", resolved: `${registry}/a/-/a-1.2.3.tgz`, integrity: sha512 };
  return bytes({
    lockfileVersion: 3,
    packages: { "": { dependencies: { a: "^1.0.0" } }, "node_modules/a": a, ...packages },
    ...rest,
  });
}

function manifestOf(more: Record<string, unknown> = {}): Uint8Array {
  return bytes({ name: "root", dependencies: { a: "^1.0.0" }, ...more });
}

/** Runs every check that comes before a fetch; the code and the words of what was refused, or null. */
function refusal(lock: Uint8Array, manifest: Uint8Array = manifestOf()): { code: ErrorCode; message: string } | null {
  try {
    const parsed = parseManifest(manifest, "package.json");
    const read = parseLockfile(lock, "package-lock.json");
    checkSources(read, [parsed]);
    checkInStep(read, new Map([["", parsed]]));
    return null;
  } catch (error) {
    if (!(error instanceof TrueupError)) throw error;
    return { code: error.code, message: error.message };
  }
}

const at = (resolved: string) => lockOf({ "node_modules/evil": { version: "1.0.0", resolved, integrity: sha512 } });

describe("[F2] a lockfile is refused before anything is fetched", () => {
  test.each<[string, Uint8Array, ErrorCode, string]>([
    ["text that is no JSON", bytes("{ nope"), "lockfile-invalid", "package-lock.json"],
    ["an empty file", bytes(""), "lockfile-invalid", "package-lock.json"],
    ["bytes that are no UTF-8", new Uint8Array([0xff, 0xfe, 0x00]), "lockfile-invalid", "package-lock.json"],
    ["a list", bytes([]), "lockfile-invalid", "not a JSON object"],
    ["no version", bytes({ packages: { "": {} } }), "lockfile-invalid", "lockfileVersion is absent"],
    ["a version to come", lockOf({}, { lockfileVersion: 4 }), "lockfile-invalid", "lockfileVersion is 4"],
    ["version 1", bytes({ lockfileVersion: 1, dependencies: {} }), "lockfile-unsupported", "lockfileVersion 1"],
    ["no packages", bytes({ lockfileVersion: 3 }), "lockfile-invalid", "packages"],
    ["no root entry", bytes({ lockfileVersion: 3, packages: {} }), "lockfile-invalid", "root entry"],
    ["an entry that is text", lockOf({ "node_modules/b": "1.0.0" }), "lockfile-invalid", "node_modules/b"],
    [
      "an entry outside the project",
      lockOf({ "node_modules/../../b": { version: "1.0.0" } }),
      "lockfile-invalid",
      "outside",
    ],
    ["an absolute entry", lockOf({ "/node_modules/b": { version: "1.0.0" } }), "lockfile-invalid", "outside"],
    [
      "a name with an escape",
      lockOf({ "node_modules/b": { name: "../b", version: "1.0.0" } }),
      "lockfile-invalid",
      "name",
    ],
    [
      "no integrity",
      lockOf({ "node_modules/b": { version: "1.0.0" } }),
      "lockfile-invalid",
      "node_modules/b has no integrity",
    ],
    [
      "several without integrity are counted",
      lockOf({ "node_modules/b": { version: "1.0.0" }, "node_modules/c": { version: "1.0.0" } }),
      "lockfile-invalid",
      "node_modules/b has no integrity that can be checked, nor have 1 more",
    ],
    [
      "an integrity of no known kind",
      lockOf({ "node_modules/b": { version: "1.0.0", integrity: "md5-AAAA" } }),
      "lockfile-invalid",
      "no integrity",
    ],
    ["no version in an entry", lockOf({ "node_modules/b": { integrity: sha512 } }), "unsupported-dependency", "b"],
    [
      "a git dependency over ssh",
      at("git+ssh://git@forge.example/o/evil.git#abc"),
      "unsupported-dependency",
      "evil@1.0.0",
    ],
    [
      "a git dependency over https",
      at("git+https://forge.example/o/evil.git#abc"),
      "unsupported-dependency",
      "evil@1.0.0",
    ],
    [
      "a git dependency hidden as an archive",
      at("https://codeload.forge.example/o/evil/tar.gz/abc"),
      "unsupported-dependency",
      "evil",
    ],
    ["an archive of another host", at("https://forge.example/o/evil/archive/v1.tgz"), "unsupported-dependency", "evil"],
    ["another package's tarball", at(`${registry}/good/-/good-1.0.0.tgz`), "unsupported-dependency", "evil"],
    ["a tarball with a query", at(`${registry}/evil/-/evil-1.0.0.tgz?token=1`), "unsupported-dependency", "evil"],
    ["a file", at("file:../evil.tgz"), "unsupported-dependency", "evil"],
    [
      "a git dependency that says it is bundled",
      lockOf({
        "node_modules/evil": { version: "1.0.0", inBundle: true, resolved: "git+ssh://git@forge.example/o/e.git" },
      }),
      "unsupported-dependency",
      "evil",
    ],
    [
      "a link out of the tree",
      lockOf({ "node_modules/evil": { resolved: "../evil", link: true } }),
      "unsupported-dependency",
      "../evil",
    ],
    [
      "a link that is no workspace",
      lockOf({ "node_modules/evil": { resolved: "lib", link: true } }),
      "unsupported-dependency",
      "lib",
    ],
    ["a directory that is no workspace", lockOf({ lib: { version: "1.0.0" } }), "unsupported-dependency", "lib"],
  ])("%s", (_name, lock, code, words) => {
    const found = refusal(lock);
    expect(found?.code).toBe(code);
    expect(found?.message).toContain(words);
  });

  test.each([
    ["github:o/evil"],
    ["o/evil"],
    ["o/evil#main"],
    ["git+ssh://git@forge.example/o/evil.git"],
    ["git@forge.example:o/evil.git"],
    ["https://forge.example/evil.tgz"],
    ["file:evil.tgz"],
  ])("a manifest that asks for %s", (spec) => {
    expect(refusal(lockOf(), manifestOf({ dependencies: { a: "^1.0.0", evil: spec } }))?.code).toBe(
      "unsupported-dependency",
    );
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["a dependency that the lock does not hold", { dependencies: { a: "^1.0.0", b: "1.0.0" } }, "b 1.0.0"],
    ["a development dependency that the lock does not hold", { devDependencies: { b: "1.0.0" } }, "b 1.0.0"],
    ["a range that the locked version does not meet", { dependencies: { a: "^2.0.0" } }, "it holds 1.2.3"],
    ["a tag that the lock was not made for", { dependencies: { a: "next" } }, "a next"],
  ])("out of step: %s", (_name, manifest, words) => {
    const found = refusal(lockOf(), manifestOf(manifest));
    expect(found?.code).toBe("lockfile-out-of-step");
    expect(found?.message).toContain(words);
  });
});

describe("a lockfile that can be installed", () => {
  test.each<[string, Uint8Array, Uint8Array]>([
    ["as it is", lockOf(), manifestOf()],
    ["with a byte order mark", new Uint8Array([0xef, 0xbb, 0xbf, ...lockOf()]), manifestOf()],
    ["version 2", lockOf({}, { lockfileVersion: 2, dependencies: {} }), manifestOf()],
    ["without addresses", lockOf({ "node_modules/a": { version: "1.2.3", integrity: sha512 } }), manifestOf()],
    ["with another range that the locked version meets", lockOf(), manifestOf({ dependencies: { a: "~1.2.0" } })],
    ["with an optional dependency that is not locked", lockOf(), manifestOf({ optionalDependencies: { b: "1.0.0" } })],
    [
      "with a bundled package",
      lockOf({ "node_modules/a/node_modules/b": { version: "1.0.0", inBundle: true } }),
      manifestOf(),
    ],
    [
      "with an alias",
      lockOf({
        "node_modules/alias": {
          name: "@o/b",
          version: "1.0.0",
          resolved: `${registry}/@o/b/-/b-1.0.0.tgz`,
          integrity: sha512,
        },
      }),
      manifestOf({ dependencies: { alias: "npm:@o/b@^1.0.0" } }),
    ],
    [
      "with a workspace",
      lockOf({ "packages/w": { version: "1.0.0" }, "node_modules/w": { resolved: "packages/w", link: true } }),
      manifestOf({ workspaces: ["./packages/*"] }),
    ],
  ])("%s", (_name, lock, manifest) => {
    expect(refusal(lock, manifest)).toBeNull();
  });
});

describe("isRegistryTarball", () => {
  test.each([
    ["https://r.example/a/-/a-1.0.0.tgz", "a", true],
    ["https://r.example/npm/deep/@o/a/-/a-1.0.0.tgz", "@o/a", true],
    ["https://r.example/@o%2fa/-/a-1.0.0.tgz", "@o/a", true],
    ["https://r.example/b/-/b-1.0.0.tgz", "a", false],
    ["https://user:word@r.example/a/-/a-1.0.0.tgz", "a", false],
    ["https://r.example/a/-/%2e%2e/a-1.0.0.tgz", "a", false],
    ["ftp://r.example/a/-/a-1.0.0.tgz", "a", false],
    ["a-1.0.0.tgz", "a", false],
  ])("%s for %s: %s", (url, name, expected) => {
    expect(isRegistryTarball(url, name)).toBe(expected);
  });
});

describe("renderProxiedLockfile", () => {
  test("asks for every registry package at one origin and keeps integrity, links and bundles", () => {
    const lock = parseLockfile(
      lockOf(
        {
          "node_modules/@o/b": { version: "2.0.0", integrity: sha512 },
          "packages/w": { version: "1.0.0" },
          "node_modules/w": { resolved: "packages/w", link: true },
        },
        { dependencies: { a: { version: "9.9.9" } } },
      ),
      "package-lock.json",
    );
    const rendered = JSON.parse(renderProxiedLockfile(lock, "http://127.0.0.1:1")) as {
      packages: Record<string, Record<string, unknown>>;
    };
    expect(Object.hasOwn(rendered, "dependencies")).toBe(false);
    expect(rendered.packages["node_modules/a"]).toMatchObject({
      resolved: "http://127.0.0.1:1/a/-/a-1.2.3.tgz",
      integrity: sha512,
    });
    expect(rendered.packages["node_modules/@o/b"]).toMatchObject({ resolved: "http://127.0.0.1:1/@o/b/-/b-2.0.0.tgz" });
    expect(rendered.packages["node_modules/w"]).toEqual({ resolved: "packages/w", link: true });
    expect(rendered.packages["packages/w"]).toEqual({ version: "1.0.0" });
  });

  test("no lock, however odd, makes npm ask another host", () => {
    const value = fc.oneof(fc.string(), fc.webUrl(), fc.constant(sha512), fc.constant("1.0.0"));
    const entry = fc.record(
      { version: value, resolved: value, integrity: value, link: fc.boolean(), inBundle: fc.boolean() },
      { requiredKeys: [] },
    );
    const elsewhere = (packages: Record<string, unknown>): readonly string[] => {
      const lock = lockOf(packages);
      if (refusal(lock) !== null) return [];
      const rendered = JSON.parse(renderProxiedLockfile(parseLockfile(lock, "l"), "http://127.0.0.1:1")) as {
        packages: Record<string, { resolved?: string }>;
      };
      const asked = Object.values(rendered.packages).flatMap(({ resolved }) => resolved ?? []);
      return asked.filter((each) => !each.startsWith("http://127.0.0.1:1/"));
    };
    const places = fc.string().map((name) => `node_modules/${name}`);
    const property = fc.property(fc.dictionary(places, entry), (packages) => elsewhere(packages).length === 0);
    expect(fc.check(property).counterexample).toBeNull();
  });
});
