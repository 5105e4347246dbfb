import { expect, test } from "vitest";
import { canary, canaryContract, honestTest, mend } from "./pipeline-canary.ts";
import { openPipeline } from "./pipeline-stage.ts";

const silenced = {
  edit: { path: "src/slugify.ts", find: "export function", replace: "// @ts-ignore\nexport function" },
};

test("what a reviewer should look at is a warning with its place, in the verdict and the report; --strict makes it a block", async () => {
  using pipeline = openPipeline(canary);
  const run = await pipeline.deliver({ title: "lint", contract: canaryContract, steps: [mend, honestTest, silenced] });
  const warned = run.verdict?.findings.filter((one) => one.severity === "warn") ?? [];
  expect([run.exit, run.error]).toEqual([0, null]);
  expect(warned.map((one) => [one.code, one.subject])).toContainEqual(["lint-check-silenced", "src/slugify.ts"]);
  expect(run.artifact("report.md")).toContain("A comment silences a checker");
  const strict = await pipeline.run(pipeline.home, ["gate", run.out, "--json", "--strict"]);
  expect(strict.blocks).toContain("lint-check-silenced src/slugify.ts");
});

test("changed code that the lint could not look at is said, since nothing found is not nothing there", async () => {
  using pipeline = openPipeline(canary);
  const long = { write: { path: "src/long.ts", text: `export const long = "${"x".repeat(600_000)}";\n` } };
  const torn = { write: { path: "src/torn.ts", text: "export const torn = {\n" } };
  const contract = { ...canaryContract, changed_files_only: undefined, max_added_lines: undefined };
  const run = await pipeline.deliver({ title: "not looked", contract, steps: [mend, honestTest, long, torn] });
  const warned = run.verdict?.findings.filter((one) => one.code === "lint-not-looked") ?? [];
  expect(warned.map((one) => one.subject)).toEqual(["src/long.ts", "src/torn.ts"]);
  expect(warned.map((one) => one.detail)).toEqual([
    expect.stringContaining("at most 524288 are looked at"),
    expect.stringContaining("it is not whole code"),
  ]);
});
