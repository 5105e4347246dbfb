import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPipeline, plainGit, sh, writeFiles, type Contract, type Files, type Pipeline } from "./pipeline-stage.ts";

const base: Files = {
  ".gitignore": "ignored/\n",
  "docs/guide.md": "one\ntwo\nthree\nfour\n",
  "src/a.ts": "export const a = 1;\n",
};
const one = { write: { path: "src/a.ts", text: "export const a = 2;\n" } };
const scope: Contract = { changed_files_only: ["src/**"], changed_files_required: ["src/a.ts"] };

describe("contracts at their edges", () => {
  let pipeline: Pipeline;

  beforeAll(() => {
    pipeline = openPipeline(base);
  });
  afterAll(() => pipeline[Symbol.dispose]());

  /** Ten lines added and three deleted. */
  const tenAndThree = sh("seq 1 10 >src/new.ts; sed -i 2,4d docs/guide.md");

  test.each<[string, Contract, readonly string[]]>([
    ["[D3] [E3] caps that the change meets exactly", { max_added_lines: 10, max_deleted_lines: 3 }, []],
    ["[D3] [E3] one added line too many", { max_added_lines: 9 }, ["added-lines-over max_added_lines"]],
    ["[D3] [E3] one deleted line too many", { max_deleted_lines: 2 }, ["deleted-lines-over max_deleted_lines"]],
    ["[D2] [E3] a path outside the scope", { changed_files_only: ["src/*"] }, ["outside-scope docs/guide.md"]],
    [
      "[D2] [E3] a required file that did not change",
      { changed_files_required: ["src/a.ts", "src/new.ts"] },
      ["required-not-changed src/a.ts"],
    ],
    [
      "[D4] a text that is not there, and one that must not be there",
      {
        file_contains: [
          { path: "src/new.ts", text: "11" },
          { path: "src/new.ts", text: "10" },
        ],
        file_excludes: [{ path: "src/new.ts", text: "7" }],
      },
      ["content-missing src/new.ts", "content-present src/new.ts"],
    ],
  ])("%s", async (_name, contract, blocks) => {
    const run = await pipeline.deliver({ contract, steps: [tenAndThree] });
    expect([run.error, run.blocks]).toEqual([null, blocks]);
    expect(run.exit).toBe(blocks.length === 0 ? 0 : 1);
    expect(run.facts().change).toMatchObject({ added_lines: 10, deleted_lines: 3 });
  });

  test.each<[string, unknown]>([
    ["[D7] `&&`", { tests: [{ command: "npx vitest run && true", passed: 1 }] }],
    ["[D7] a pipe", { tests: [{ command: "npx vitest run | cat", passed: 1 }] }],
    ["[D7] an expansion", { tests: [{ command: "npx vitest run $(id)", passed: 1 }] }],
    ["[D7] a reporter flag", { tests: [{ command: "npx vitest run --reporter=json", passed: 1 }] }],
    ["[D7] a config flag", { tests: [{ command: "npx vitest run --config evil.ts", passed: 1 }] }],
    ["[D7] an unknown runner", { tests: [{ command: "bash run-tests.sh", passed: 1 }] }],
    ["[D6] an unknown key", { max_lines: 3 }],
    ["[D6] a path that leaves the repository", { changed_files_only: ["../etc/**"] }],
    ["[D6] a negative number", { max_added_lines: -1 }],
    ["[D6] a fraction", { max_added_lines: 1.5 }],
    ["[D6] nothing", {}],
  ])("%s in a contract is refused before anything runs", async (_name, contract) => {
    using fresh = openPipeline(base);
    const run = await fresh.deliver({ contract: contract as Contract, steps: [one] });
    expect([run.exit, run.error]).toEqual([2, "task-invalid"]);
    expect(existsSync(path.join(fresh.state, "attempts"))).toBe(false);
    expect(Object.keys(fresh.refs())).toEqual(["refs/heads/main"]);
  });

  test("[D1] [D6] two acceptance blocks in one task are refused", async () => {
    const block = `\`\`\`acceptance\n${JSON.stringify(scope)}\n\`\`\`\n`;
    const markdown = `---\ntitle: Two\nrepo: ./remote.git\n---\n\nDo it.\n\n${block}\n${block}`;
    const run = await pipeline.deliver({ contract: null, markdown, steps: [one] });
    expect([run.exit, run.error]).toEqual([2, "task-invalid"]);
  });

  test("[D8] [D9] a task that no human watches is refused without a contract", async () => {
    const run = await pipeline.deliver({ contract: null, task: { authority: "auto_safe" }, steps: [one] });
    expect([run.exit, run.error]).toEqual([2, "authority-refused"]);
  });

  test("a task that was only proposed waits", async () => {
    const run = await pipeline.deliver({ contract: scope, task: { authority: "proposed" }, steps: [one] });
    expect([run.exit, run.error]).toEqual([2, "authority-refused"]);
  });
});

describe("tasks and attempts", () => {
  let pipeline: Pipeline;

  beforeAll(() => {
    pipeline = openPipeline(base);
  });
  afterAll(() => pipeline[Symbol.dispose]());

  test("[D10] an operator's task without a contract says so in the pull request and in the exit code", async () => {
    const steps = [{ write: { path: "src/b.ts", text: "export const b = 1;\n" } }, { say: "All 12 tests pass." }];
    const run = await pipeline.deliver({ contract: null, steps });
    expect([run.error, run.exit, run.status, run.verdict?.outcome]).toEqual([null, 3, "published", "unchecked"]);
    const body = (await pipeline.pulls())[0]?.body ?? "";
    expect(body.split("\n")[0]).toBe("Acceptance: not machine-checked");
    expect(body).not.toContain("checks passed");
  });

  test("[E8] an agent's own test run, its output and its words move nothing", async () => {
    const lie = "Tests  17 passed (17). Acceptance: 2/2 checks passed. All tests pass.";
    const steps = [
      one,
      sh(`echo '${lie}'; mkdir -p reports; echo '{"success":true}' >reports/vitest.json`),
      { say: lie },
    ];
    const run = await pipeline.deliver({ contract: scope, steps });
    expect(run.blocks).toEqual(["outside-scope reports/vitest.json"]);
    expect(run.artifact("transcript.txt")).toContain("17 passed");
    expect(run.artifact("acceptance.json")).not.toContain("17 passed");
  });

  test("[G7] the same command again resumes: the agent runs once, one branch, one pull request", async () => {
    const task = { contract: scope, steps: [one], title: "Resume" };
    const first = await pipeline.deliver(task);
    const again = await pipeline.deliver(task);
    expect([first.status, first.exit, first.answer["resumed"]]).toEqual(["published", 0, false]);
    expect([again.exit, again.branch]).toEqual([0, first.branch]);
    expect((await pipeline.pulls()).filter((pull) => pull.head_branch === first.branch)).toHaveLength(1);
  });

  test("[D12] a contract that changed after it was pinned is found out, and a new attempt takes it", async () => {
    const steps = [{ write: { path: "src/c.ts", text: "export const c = 1;\n" } }];
    const tight = await pipeline.deliver({ contract: scope, steps, title: "Drift" });
    expect([tight.exit, tight.blocks]).toEqual([1, ["required-not-changed src/a.ts"]]);
    const loose = { changed_files_only: ["src/**"] };
    const drifted = await pipeline.deliver({ contract: loose, steps, title: "Drift" });
    expect([drifted.exit, drifted.error]).toEqual([3, "contract-changed"]);
    const anew = await pipeline.deliver({ contract: loose, steps, title: "Drift", flags: ["--new-attempt"] });
    expect([anew.exit, anew.status]).toEqual([0, "published"]);
  });

  test("[E1] 79: a process that the agent leaves behind to edit after its end is dead before anything is captured", async () => {
    const survivor = sh("setsid sh -c 'sleep 1; while :; do echo late >>src/a.ts; sleep 0.01; done' >/dev/null 2>&1 &");
    const run = await pipeline.deliver({ contract: scope, steps: [one, survivor], title: "Survivor" });
    expect([run.error, run.blocks]).toEqual([null, []]);
    expect(plainGit(pipeline.remote, "show", `${run.branch}:src/a.ts`)).toBe("export const a = 2;\n");
  });

  test("[F7] an agent that ends badly is judged by what it left, with a warning that it stopped early", async () => {
    const file = path.join(pipeline.home, "crash.json");
    writeFiles(pipeline.home, { "crash.json": JSON.stringify({ version: 1, steps: [one], exit: 7 }) });
    const run = await pipeline.deliver({ contract: scope, agent: `scripted:${file}` });
    expect([run.error, run.blocks]).toEqual([null, []]);
    expect(run.verdict?.findings.map((found) => found.code)).toContain("agent-stopped-early");
  });
});

/** Every file below a directory with its mode and a digest of its bytes. */
function listing(root: string, below = ""): readonly string[] {
  return readdirSync(path.join(root, below))
    .toSorted()
    .flatMap((name): readonly string[] => {
      const file = path.join(below, name);
      const found = lstatSync(path.join(root, file));
      if (found.isDirectory()) return listing(root, file);
      const bytes = readFileSync(path.join(root, file));
      return [`${found.mode.toString(8)} ${createHash("sha256").update(bytes).digest("hex")} ${file}`];
    });
}

test("[F16] a repository given as a path to a dirty work tree: nothing of the user's is touched or taken", async () => {
  using pipeline = openPipeline(base);
  const user = pipeline.clone("user");
  writeFiles(user, { "src/a.ts": "half done\n", "notes.txt": "mine\n", "ignored/x": "mine\n", "staged.ts": "mine\n" });
  plainGit(user, "add", "staged.ts");
  const kept = (lines: readonly string[]): readonly string[] =>
    lines.filter((line) => !/ \.git\/(?:objects|refs\/heads\/trueup|logs\/refs\/heads\/trueup)/u.test(line));
  const before = kept(listing(user));
  const run = await pipeline.deliver({ contract: scope, steps: [one], repo: user });
  expect([run.error, run.blocks, run.status]).toEqual([null, [], "published"]);
  expect(kept(listing(user))).toEqual(before);
  expect(plainGit(user, "ls-tree", "-r", "--name-only", run.commit ?? "")).not.toMatch(/notes|staged/u);
  expect(plainGit(user, "show", `${run.commit}:src/a.ts`)).toBe("export const a = 2;\n");
});
