import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openCiStage, said, type CiStage } from "./ci-stage.ts";

const root = path.join(import.meta.dirname, "../..");
const head = 'import { test } from "node:test";\nimport assert from "node:assert/strict";\n';
const start = {
  "package.json": '{"name":"slug","version":"1.0.0","private":true,"type":"module","engines":{"node":">=22"}}\n',
  "src/limit.mjs": "export const limit = 10;\n",
  "src/slug.mjs": 'export const slug = (text) => text.replaceAll(" ", "-");\n',
  "test/slug.test.mjs": `${head}import { slug } from "../src/slug.mjs";\ntest("joins", () => assert.equal(slug("a b"), "a-b"));\n`,
  ".trueup/contract.json": JSON.stringify({
    intent: "chore",
    tests: [{ command: "node --test", keep_base: true }],
  }),
};
const smaller = { "src/limit.mjs": "export const limit = 5;\n" };
const title = {
  "src/title.mjs": 'import { limit } from "./limit.mjs";\nexport const title = (text) => text.slice(0, limit);\n',
  "test/title.test.mjs": `${head}import { title } from "../src/title.mjs";\ntest("cuts", () => assert.equal(title("abcdefgh"), "abcdefgh"));\n`,
};

describe("the Action as it is shipped, with tests in the clean room", () => {
  let bundle: string;
  let stage: CiStage;
  let one: string;
  let two: string;
  beforeAll(async () => {
    bundle = mkdtempSync(path.join(tmpdir(), "trueup-action-"));
    execFileSync(process.execPath, [path.join(root, "tools/build-action.ts"), bundle], { stdio: "inherit" });
    stage = await openCiStage(start, path.join(bundle, "lib/entry/action/main.js"));
    one = stage.commit(stage.base, smaller);
    two = stage.commit(stage.base, title);
  });
  afterAll(async () => {
    await stage[Symbol.asyncDispose]();
    rmSync(bundle, { recursive: true, force: true });
  });
  beforeEach(() => stage.say({ pull: [said.opening("no issue")] }));

  test("[H14] an honest pull request passes at the grade that its tests allow", async () => {
    const job = await stage.run({ event: "same-repository", base: stage.base, head: two });
    expect([job.stderr, job.exit, job.blocks, job.open]).toEqual([job.stderr, 0, [], []]);
    expect(job.facts?.runs.map(({ purpose }) => purpose)).toContain("head");
    expect(["A", "B"]).toContain(job.verdict?.grade.value);
  });

  test("[C9] merge group: two members that pass alone and fail together are blocked by the group's own tests", async () => {
    expect((await stage.run({ event: "agent", base: stage.base, head: one })).exit).toBe(0);
    const group = stage.merge(stage.merge(stage.base, one), two);
    const job = await stage.run({ event: "merge-group", base: stage.base, head: group });
    expect([job.exit, job.blocks.length > 0]).toEqual([1, true]);
    expect(job.summary).toContain("cuts");
  });

  test("[C8] a broken change is blocked although its author says that all tests pass", async () => {
    const broken = stage.commit(stage.base, { "src/slug.mjs": "export const slug = (text) => text;\n" });
    const job = await stage.run({ event: "agent", base: stage.base, head: broken });
    expect(job.exit).toBe(1);
    expect(job.stdout).toContain("::error");
  });
});
