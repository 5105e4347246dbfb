import { expect, test } from "vitest";
import { makeEntry } from "../../../test/fixtures/facts-builders.ts";
import { decideTrustRoots, withHeadRoots } from "./trust-roots.ts";

const entries = ["vitest.config.ts", "build/options.ts", "src/slugify.ts", "test/setup-evil.ts"].map((path) =>
  makeEntry({ path }),
);

test("[E15] what steers the tests by name or by closure is put back; an opened path is not", () => {
  const closure = ["build/options.ts"];
  expect(decideTrustRoots(entries, closure, { allow_protected: ["vitest.config.ts"] }).changed).toEqual([
    { path: "vitest.config.ts", why: "name", restored: false },
    { path: "build/options.ts", why: "closure", restored: true },
  ]);
});

test("[E12] a set-up file that an unchanged configuration finds by a pattern is a trust root of the head run, not restored", () => {
  const found = decideTrustRoots(entries, ["build/options.ts"], null);
  const both = withHeadRoots(found, entries, { roots: ["vitest.config.ts", "test/setup-evil.ts"], contract: null });
  expect(both.changed).toEqual([
    { path: "vitest.config.ts", why: "name", restored: true },
    { path: "build/options.ts", why: "closure", restored: true },
    { path: "test/setup-evil.ts", why: "closure", restored: false },
  ]);
  expect(both.closure).toEqual(["build/options.ts", "test/setup-evil.ts", "vitest.config.ts"]);
});

test("head runs that saw nothing new change nothing", () => {
  const found = decideTrustRoots(entries, [], null);
  expect(withHeadRoots(found, entries, { roots: [], contract: null })).toEqual(found);
});
