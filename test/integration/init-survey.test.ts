import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { canary } from "./pipeline-canary.ts";
import { openPipeline, plainGit, writeFiles } from "./pipeline-stage.ts";

test("init tries tests and types over what is committed, and leaves out what is red there", async () => {
  const manifest = JSON.parse(Buffer.from(canary["package.json"] as Uint8Array | string).toString()) as {
    scripts: Record<string, string>;
  };
  const scripts = { ...manifest.scripts, lint: "node -p not.there" };
  using pipeline = openPipeline({ ...canary, "package.json": JSON.stringify({ ...manifest, scripts }, null, 2) });
  const work = pipeline.clone("work");
  const init = await pipeline.run(work, ["init", "--yes", "--json"]);
  expect([init.exit, init.answer["written"]]).toEqual([0, true]);
  expect(JSON.parse(readFileSync(path.join(work, ".trueup/contract.json"), "utf8"))).toEqual({
    version: 1,
    intent: "chore",
    tests: [{ command: "npx vitest run", keep_base: true }],
    commands: [{ command: "npm run types" }],
  });
  expect(JSON.stringify(init.answer["notes"])).toContain("npm run lint is left out: exit 1");
  plainGit(work, "add", "-A");
  plainGit(work, "commit", "-q", "-m", "Trueup");
  plainGit(work, "push", "-q", "origin", "HEAD:main");
  plainGit(work, "fetch", "-q");
  // What init wrote holds for a change that breaks a test.
  writeFiles(work, { "src/slugify.ts": "export const slugify = (): string => 'x';\n" });
  const check = await pipeline.check({ directory: work });
  expect([check.exit, check.blocks.some((one) => one.startsWith("test-regressed"))]).toEqual([1, true]);
});
