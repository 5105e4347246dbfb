import { describe, expect, test } from "vitest";
import type { TreeReader } from "../../ports/index.ts";
import { createSourceReach, mayMean, snapshotOwner } from "./source-reach.ts";

function readerOf(files: Readonly<Record<string, string>>): TreeReader {
  const entries = Object.keys(files).map((path) => ({ path, mode: "100644", id: "1".repeat(40), size: 1 }));
  const read = (path: string): Promise<Uint8Array | null> =>
    Promise.resolve(files[path] === undefined ? null : new TextEncoder().encode(files[path]));
  return { tree: "0".repeat(40), entries, read };
}

const sources = ["src/slug.ts", "src/deep.ts"];
const tree = { "src/slug.ts": "", "src/deep.ts": "", "src/mid.ts": `export * from "./deep.js";` };
const reach = (text: string, file = "test/a.test.ts"): Promise<readonly string[]> =>
  createSourceReach(readerOf({ ...tree, [file]: text }), sources).of(file);

describe("createSourceReach", () => {
  test.each([
    ["a relative import", `import { slug } from "../src/slug.js";`, ["src/slug.ts"]],
    ["through another file", `import "../src/mid.ts";`, ["src/deep.ts"]],
    ["an alias", `import { slug } from "@/slug";`, ["src/slug.ts"]],
    ["a mock", `vi.mock("#src/slug.js");`, ["src/slug.ts"]],
    ["nothing of ours", `import { it } from "vitest";`, []],
    [
      "[E16] an import worked out at run time may be any of them",
      `const m = await import(["..", "src"].join("/"));`,
      sources,
    ],
    ["a word in a comment is no import", `// import (later)\n/* require(x) */`, []],
  ])("%s", async (_name, text, expected) => {
    expect(await reach(text)).toEqual(expected);
  });

  test("another language's test may reach all", async () => {
    expect(await reach("import slug", "test/test_slug.py")).toEqual(sources);
  });
});

test.each([
  ["@/lib/slug", "src/lib/slug.ts", true],
  ["src/lib/slug.js", "src/lib/slug.ts", true],
  ["@scope/lib/slug", "packages/lib/slug/index.ts", true],
  ["vitest", "src/slug.ts", false],
])("%s may mean %s: %s", (name, file, expected) => {
  expect(mayMean(name, file)).toBe(expected);
});

test("a snapshot belongs to the test file beside its directory", () => {
  expect(snapshotOwner("test/__snapshots__/a.test.ts.snap")).toBe("test/a.test.ts");
  expect(snapshotOwner("test/a.snap")).toBeNull();
});
