import { expect, test } from "vitest";
import { makeCase, makeEntry, makeRun } from "../../../test/fixtures/facts-builders.ts";
import { sortChange } from "./plan-direction.ts";

const run = (...files: readonly string[]) => makeRun({ cases: files.map((file) => makeCase({ file })) });
const entry = (path: string, status: "added" | "modified" | "deleted" = "modified") => makeEntry({ path, status });

test("a changed path is a test, belongs to tests, steers them, is a document, or is a source", () => {
  const entries = [
    entry("src/slug.ts"),
    entry("README.md"),
    entry("vitest.config.ts"),
    entry("test/a.test.ts"),
    entry("test/new.test.ts", "added"),
    entry("test/gone.test.ts", "deleted"),
    entry("test/helper.ts"),
    entry("test/new-helper.ts", "added"),
    entry("test/__snapshots__/quiet.test.ts.snap"),
    entry("put-back.ts"),
  ];
  const head = run("test/a.test.ts", "test/new.test.ts", "test/quiet.test.ts");
  const base = run("test/a.test.ts", "test/gone.test.ts", "test/quiet.test.ts");
  expect(sortChange(entries, { head, base }, ["put-back.ts"])).toEqual({
    headTests: ["test/a.test.ts", "test/new.test.ts", "test/quiet.test.ts"],
    baseTests: ["test/a.test.ts", "test/gone.test.ts", "test/quiet.test.ts"],
    testSide: [
      "test/a.test.ts",
      "test/new.test.ts",
      "test/gone.test.ts",
      "test/helper.ts",
      "test/new-helper.ts",
      "test/__snapshots__/quiet.test.ts.snap",
    ],
    support: ["test/helper.ts"],
    sources: ["src/slug.ts"],
  });
});
