import { expect, test } from "vitest";
import type { TreeReader } from "../../ports/index.ts";
import { importClosure, parseRelativeImports } from "./import-closure.ts";

function reader(files: Record<string, string>): TreeReader {
  const entries = Object.keys(files).map((path) => ({ path, mode: "100644", id: "0", size: 1 }));
  return { tree: "t", entries, read: async (path) => (path in files ? new TextEncoder().encode(files[path]) : null) };
}

test.each([
  [`import a from "./a.js"`, ["./a.js"]],
  [`import "./side"`, ["./side"]],
  [`export * from '../up'`, ["../up"]],
  [`const b = await import("./b.ts")`, ["./b.ts"]],
  ["const t = await import(`./t.ts`)", ["./t.ts"]],
  [`const c = require('./c.cjs')`, ["./c.cjs"]],
  [`new URL("./setup.ts", import.meta.url)`, ["./setup.ts"]],
  [`setupFiles: [path.resolve("./s.ts")]`, ["./s.ts"]],
  [`import x from "vitest"`, []],
  ["", []],
])("%j names %j", (text, names) => {
  expect(parseRelativeImports(text)).toEqual(names);
});

test("[E12] a file that only an unchanged config imports is in the closure, through any depth and a cycle", async () => {
  const tree = reader({
    "vitest.config.ts": `import { opts } from "./build/options.js";`,
    "build/options.ts": `export { deep } from "./deep";`,
    "build/deep/index.mjs": `import "../options.js";`,
    "src/product.ts": "",
  });
  expect(await importClosure(tree, ["vitest.config.ts"])).toEqual([
    "build/deep/index.mjs",
    "build/options.ts",
    "vitest.config.ts",
  ]);
});

test("a root that the tree does not hold reaches nothing", async () => {
  expect(await importClosure(reader({}), ["vitest.config.ts"])).toEqual([]);
});
