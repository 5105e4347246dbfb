import { afterAll, beforeAll, expect, test } from "vitest";
import { canary, canaryContract, honestTest, mend } from "./pipeline-canary.ts";
import { openPipeline, type Contract, type Files, type Pipeline, type Step } from "./pipeline-stage.ts";

const below = (directory: string, files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${directory}/${name}`, text]));
const moved = (step: Step): Step => ("edit" in step ? { edit: { ...step.edit, path: `web/${step.edit.path}` } } : step);

const api: Files = {
  "package.json": '{ "name": "api", "version": "1.0.0", "type": "module" }\n',
  "package-lock.json": `${JSON.stringify({
    name: "api",
    version: "1.0.0",
    lockfileVersion: 3,
    requires: true,
    packages: { "": { name: "api", version: "1.0.0" } },
  })}\n`,
  "sum.js": "export const sum = (a, b) => a + b;\n",
  "sum.test.js": `import assert from "node:assert/strict";
import test from "node:test";
import { sum } from "./sum.js";
test("adds", () => assert.equal(sum(1, 2), 3));
`,
};

const contract: Contract = {
  changed_files_only: ["web/**", "api/**", "shared.txt"],
  projects: [
    { root: "web", lockfile: "web/package-lock.json", tests: canaryContract["tests"] },
    {
      root: "api",
      lockfile: "api/package-lock.json",
      tests: [{ command: "node --test sum.test.js", keep_base: true }],
    },
  ],
};

let pipeline: Pipeline;
beforeAll(() => {
  pipeline = openPipeline({ ".gitignore": "node_modules/\n", ...below("web", canary), ...below("api", api) });
});
afterAll(() => pipeline[Symbol.dispose]());

test("a monorepo of two lockfiles: the touched project runs, the other is named; a shared file runs both", async () => {
  const steps = [mend, honestTest].map(moved);
  const one = await pipeline.deliver({ title: "web only", contract, steps });
  expect([one.error, one.blocks]).toEqual([null, []]);
  expect(one.facts().runs.map((run) => run.cwd)).toEqual(["web", "web"]);
  expect(one.artifact("report.md")).toContain("A project of the repository was not run");
  const shared: Step = { write: { path: "shared.txt", text: "shared\n" } };
  const both = await pipeline.deliver({ title: "shared", contract, steps: [...steps, shared] });
  expect([both.error, both.blocks]).toEqual([null, []]);
  expect(new Set(both.facts().runs.map((run) => run.cwd))).toEqual(new Set(["web", "api"]));
});

test("a change that breaks the other project is not hidden by the one it mends", async () => {
  const breaks: Step = { edit: { path: "api/sum.js", find: "a + b", replace: "a - b" } };
  const run = await pipeline.deliver({ title: "breaks", contract, steps: [...[mend, honestTest].map(moved), breaks] });
  expect(run.blocks).toEqual([
    "run-not-passed tests[1] head",
    "test-exit tests[1] head",
    "test-not-plainly-passed api/sum.test.js > adds",
    "test-regressed api/sum.test.js > adds",
  ]);
});

test("a lockfile that a project names and the tree does not have is refused before anything runs", async () => {
  const [web] = contract["projects"] as readonly object[];
  const wrong = { ...contract, projects: [{ ...web, lockfile: "web/yarn.lock" }] };
  const run = await pipeline.deliver({ title: "lockfile", contract: wrong, steps: [] });
  expect(run.error).toBe("contract-invalid");
});
