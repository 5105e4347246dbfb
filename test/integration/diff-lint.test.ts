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
