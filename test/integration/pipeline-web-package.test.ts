import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canary } from "./pipeline-canary.ts";
import { openPipeline, type Contract, type Files, type Pipeline, type Step } from "./pipeline-stage.ts";

const testFile = "web/tests/task-executor-publish.test.ts";
const command = "pnpm exec vitest run tests/task-executor-publish.test.ts";

/** Fifteen tests, as the repository of the story had before the agent came. */
const fifteen = `import { describe, expect, it } from "vitest";
import { isPushRejected, publishBranch } from "../src/publish.js";

describe("publishBranch", () => {
  it.each(["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n"])("names the branch of %s", (name) => {
    expect(publishBranch(name)).toBe(\`publish/\${name}\`);
  });
});

describe('isPushRejected on nothing', () => {
  it("is false", () => {
    expect(isPushRejected("")).toBe(false);
  });
});
`;

const source = `/** The branch a task is published on. */
export function publishBranch(task: string): string {
  return \`publish/\${task}\`;
}

/** Whether a push was refused because the branch moved, as told from any other failure. */
export function isPushRejected(stderr: string): boolean {
  return /\\(fetch first\\)|\\(non-fast-forward\\)/u.test(stderr);
}
`;

/** The canary's package, without its code, below \`web/\`; the repository's root has no package at all. */
const base: Files = {
  ".gitignore": "node_modules/\n",
  "web/package.json": canary["package.json"] ?? null,
  "web/package-lock.json": canary["package-lock.json"] ?? null,
  "web/src/publish.ts": source,
  [testFile]: fifteen,
};

const contract = (tests: Contract): Contract => ({
  changed_files_only: [testFile],
  max_added_lines: 30,
  max_deleted_lines: 1,
  file_contains: [
    { path: testFile, text: "describe('isPushRejected'" },
    { path: testFile, text: "detects a fetch-first rejection" },
    { path: testFile, text: "does not treat a transport error as a rejection" },
  ],
  tests: [{ command, passed: 17, ...tests }],
});

/** What the agent says it did in both attempts. */
const claim: Step = { say: "I appended two tests for isPushRejected. Two tests were added and all 17 tests pass." };

const appended: Step = {
  append: {
    path: testFile,
    text: `
describe('isPushRejected', () => {
  it("detects a fetch-first rejection", () => {
    const stderr = [
      "To forge.invalid:project.git",
      " ! [rejected]        main -> main (fetch first)",
      "error: failed to push some refs",
    ].join("\\n");
    expect(isPushRejected(stderr)).toBe(true);
  });

  it("does not treat a transport error as a rejection", () => {
    const stderr = [
      "fatal: unable to access the remote: could not resolve host",
      "fatal: could not read from remote repository",
    ].join("\\n");
    expect(isPushRejected(stderr)).toBe(false);
  });
});
`,
  },
};

/** The edit that never happened: a note where the tests should stand, and the next call written as text. */
const lost: Step = { append: { path: testFile, text: "// isPushRejected is covered below.\n" } };
const markup: Step = { say: '<tool_call>{"name":"edit","arguments":{}}</tool_call>' };

describe("two tests claimed, none written", () => {
  let pipeline: Pipeline;

  beforeAll(() => {
    pipeline = openPipeline(base);
  });
  afterAll(() => pipeline[Symbol.dispose]());

  test("[S2] [E10] the first attempt claims two tests and 17 passes; 15 pass, so nothing is opened", async () => {
    const run = await pipeline.deliver({ contract: contract({ cwd: "web" }), steps: [lost, markup, claim] });
    expect([run.error, run.exit, run.status]).toEqual([null, 1, "acceptance_failed"]);
    expect(run.blocks).toEqual([`content-missing ${testFile}`, "passed-count tests[0] head"]);
    expect(run.verdict?.criteria.at(-1)?.detail).toContain("15 passed, 0 failed (expected 17 passed)");
    const contradicted = run.verdict?.findings.filter((one) => one.code === "claim-contradicted") ?? [];
    expect(contradicted.map((one) => `${one.subject}: ${one.detail}`)).toEqual([
      "tests added: claimed 2, verified 0",
      "tests passed: claimed 17, verified 15",
    ]);
    expect(Object.keys(pipeline.refs())).toEqual(["refs/heads/main"]);
  });

  test("[S2] [E10] [D5] the repaired attempt passes seven of seven with 19 added lines, in the package named by cwd", async () => {
    const run = await pipeline.deliver({ contract: contract({ cwd: "web" }), steps: [appended, claim] });
    expect([run.error, run.blocks, run.exit, run.status]).toEqual([null, [], 0, "published"]);
    expect(run.verdict?.criteria.map((one) => one.outcome)).toEqual(Array(7).fill("passed"));
    expect(run.facts().change).toMatchObject({ added_lines: 19, deleted_lines: 0 });
    expect(run.artifact("report.md")?.split("\n")[0]).toBe(
      "Acceptance: 7/7 checks passed (re-run by the executor, not reported by the model).",
    );
    expect((await pipeline.pulls())[0]?.body).toContain("7/7 checks passed");
  });

  test("[D5] without cwd, where the root has no package, the account names the directory that was meant", async () => {
    const run = await pipeline.deliver({ contract: contract({}), steps: [appended, claim] });
    expect([run.exit, run.error]).toEqual([2, "runner-not-installed"]);
    const { message, hint } = run.answer["error"] as { message: string; hint: string };
    expect(message).toContain(
      "as seen from the repository's root; tests/task-executor-publish.test.ts is a file of web",
    );
    expect(hint).toContain('Set `cwd` of the tests entry to "web"');
  });

  test("[D5] without cwd, where the root has the runner too, nothing runs and the finding says where it looked", async () => {
    using both = openPipeline({ ...base, ...canary });
    const run = await both.deliver({ contract: contract({}), steps: [appended, claim] });
    expect([run.error, run.exit, run.status]).toEqual([null, 1, "acceptance_failed"]);
    const finding = run.verdict?.findings.find((one) => one.code === "no-tests-ran");
    expect(finding?.detail).toBe(
      "the runner reported no test in the repository's root; tests/task-executor-publish.test.ts names no file there, but one in web",
    );
    expect(run.artifact("report.md")).toContain("but one in web");
    expect(Object.keys(both.refs())).toEqual(["refs/heads/main"]);
  });
});
