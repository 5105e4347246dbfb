import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Facts } from "../../src/core/facts/index.ts";
import { canary, canaryContract, canaryText, exampleAgent } from "./pipeline-canary.ts";
import { openPipeline, plainGit, writeFiles, type Delivered, type Pipeline, type Ran } from "./pipeline-stage.ts";

const mended = canaryText("src/slugify.ts").replace("/\\s/g", "/\\s+/g");
const end = 'toBe("what-now");\n  });\n';
const tested = canaryText("test/slugify.test.ts").replace(
  end,
  `${end}\n  it("joins words over a run of spaces with one hyphen", () => {\n    expect(slugify("a  b")).toBe("a-b");\n    expect(slugify("a   b c")).toBe("a-b-c");\n  });\n`,
);

describe("trueup check on the slug canary", () => {
  let pipeline: Pipeline;
  let work: string;

  beforeAll(() => {
    pipeline = openPipeline(canary);
    work = pipeline.clone("work");
    writeFiles(work, { "src/slugify.ts": mended, "test/slugify.test.ts": tested });
  });
  afterAll(() => pipeline[Symbol.dispose]());

  function expectPassed(run: Ran, judged: string): void {
    expect([run.error, run.blocks, run.exit, run.answer["judged"]]).toEqual([null, [], 0, judged]);
    expect(run.verdict?.criteria.map((one) => one.outcome)).toEqual(Array(6).fill("passed"));
    expect(run.facts().change).toMatchObject({ added_lines: 6, deleted_lines: 1 });
  }

  test("the work tree with its untracked files, the index and a commit pass alike, with exit 0", async () => {
    const tree = await pipeline.check({ directory: work, contract: canaryContract });
    expectPassed(tree, "work-tree");
    expect(tree.verdict?.grade.value).toBe("C");
    expect(tree.answer["base_source"]).toMatch(/origin/u);
    plainGit(work, "add", "-A");
    writeFiles(work, { "src/slugify.ts": "broken after staging\n" });
    expectPassed(await pipeline.check({ directory: work, contract: canaryContract, flags: ["--staged"] }), "staged");
    plainGit(work, "commit", "-q", "-m", "mend");
    const commit = await pipeline.check({ directory: work, contract: canaryContract, flags: ["--commit", "HEAD"] });
    expectPassed(commit, "commit");
    plainGit(work, "checkout", "-q", "--", ".");
    expect(commit.verdict?.tree).toBe(plainGit(work, "rev-parse", "HEAD^{tree}").trim());
  });

  test("in a session what it pinned holds, also for a work tree whose files say something else", async () => {
    const user = pipeline.clone("pinned");
    pipeline.write({ "pinned.json": JSON.stringify(canaryContract) });
    const session = await pipeline.run(user, ["start", "--contract", "../pinned.json", "--json"]);
    writeFiles(user, { "stray.txt": "x\n" });
    const run = await pipeline.check({ directory: user });
    expect([run.exit, run.answer["session"]]).toEqual([1, session.answer["id"]]);
    expect(run.blocks).toContain("outside-scope stray.txt");
    const subject = (one: typeof run): unknown => (JSON.parse(one.artifact("facts.json") ?? "null") as Facts).subject;
    expect(subject(run)).toMatchObject({
      base_pinned: true,
      base_source: `pinned by session ${String(run.answer["session"])}`,
    });
    const flagged = await pipeline.check({ directory: user, flags: ["--base", "HEAD"] });
    expect(subject(flagged)).toMatchObject({ base_pinned: false });
    expect((await pipeline.check({ directory: user, flags: ["--commit", "HEAD"] })).answer["session"]).toBeNull();
  });

  test("[D10] without any contract the answer is `unchecked`, exit 3, never a pass", async () => {
    const run = await pipeline.check({ directory: work });
    expect([run.error, run.exit, run.verdict?.outcome]).toEqual([null, 3, "unchecked"]);
    expect(run.artifact("report.md")).toMatch(/^Acceptance: not machine-checked/u);
  });

  test("[E13] an untracked file outside the scope blocks the work tree, and only it", async () => {
    writeFiles(work, { "stray.txt": "x\n" });
    const run = await pipeline.check({ directory: work, contract: canaryContract });
    writeFiles(work, { "stray.txt": null });
    expect([run.exit, run.blocks]).toEqual([1, ["outside-scope stray.txt"]]);
  });

  test("[D11] the standing contract counts from the base alone: one that the change brings is protected and unread", async () => {
    using guarded = openPipeline({
      ...canary,
      ".trueup/contract.json": JSON.stringify({ changed_files_only: ["src/**"] }),
    });
    const user = guarded.clone("user");
    writeFiles(user, { "src/slugify.ts": mended, "README.md": "x\n", ".trueup/contract.json": "{}" });
    const run = await guarded.check({ directory: user });
    expect(run.exit).toBe(1);
    expect(run.blocks).toEqual([
      "outside-scope .trueup/contract.json",
      "outside-scope README.md",
      "protected-path .trueup/contract.json",
    ]);
  });

  test.each([
    ["a revision that does not exist", ["--base", "no-such-branch"], "base-not-found"],
    ["two targets at once", ["--staged", "--commit", "HEAD"], "usage"],
  ])("%s is an error with a hint, exit 2", async (_name, flags, code) => {
    const run = await pipeline.check({ directory: work, contract: canaryContract, flags });
    expect([run.exit, run.error]).toEqual([2, code]);
  });
});

describe("trueup gate over stored artifacts", () => {
  let pipeline: Pipeline;
  let delivered: Delivered;
  let checked: Ran;

  beforeAll(async () => {
    pipeline = openPipeline(canary);
    delivered = await pipeline.deliver({ steps: exampleAgent("honest"), contract: canaryContract });
    const work = pipeline.clone("work");
    writeFiles(work, { "src/slugify.ts": mended, "test/slugify.test.ts": tested });
    checked = await pipeline.check({ directory: work, contract: canaryContract });
  });
  afterAll(() => pipeline[Symbol.dispose]());

  test("[B1] gate says about the artifacts of deliver and of check, byte for byte, what was said then", async () => {
    for (const run of [delivered, checked]) {
      const directory = (run.answer["outDirectory"] ?? run.answer["artifacts"]) as string;
      const again = await pipeline.run(pipeline.home, ["gate", directory, "--json"]);
      expect([again.exit, again.answer["stored_verdict_agrees"]]).toEqual([0, true]);
      expect(JSON.stringify(again.verdict)).toBe(JSON.stringify(run.verdict));
    }
  });

  test("the same change has the same tree, digest, criteria and findings through deliver and through check", () => {
    const said = (run: Ran) => {
      const { tree, change_digest, criteria, base_commit } = run.verdict ?? {};
      return { tree, change_digest, criteria, base_commit };
    };
    expect(said(checked)).toEqual(said(delivered));
    expect(checked.facts().change).toEqual(delivered.facts().change);
  });

  test("[B1] artifacts that were altered are found out: another fact, another verdict, another contract", async () => {
    const altered = path.join(pipeline.home, "altered");
    const original = (name: string): string => readFileSync(path.join(delivered.out, name), "utf8");
    const gate = async (name: string, text: string): Promise<Ran> => {
      const all = ["facts.json", "verdict.json", "contract.json", "records.jsonl"].map(
        (each) => [each, original(each)] as const,
      );
      writeFiles(altered, { ...Object.fromEntries(all), [name]: text });
      return pipeline.run(pipeline.home, ["gate", altered, "--json"]);
    };
    const facts = await gate("facts.json", original("facts.json").replace('"added_lines":6', '"added_lines":5'));
    expect([facts.exit, facts.answer["stored_verdict_agrees"]]).toEqual([3, false]);
    const verdict = await gate("verdict.json", original("verdict.json").replace('"passed"', '"blocked"'));
    expect(verdict.exit).toBe(3);
    const contract = await gate("contract.json", original("contract.json").replace("15", "150"));
    expect([contract.exit, contract.error]).toEqual([3, "contract-changed"]);
  });
});
