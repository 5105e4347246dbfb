import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  openPipeline,
  plainGit,
  type DeliverOptions,
  type Delivered,
  type Pipeline,
  type Step,
} from "./pipeline-stage.ts";

const base = { "notes.txt": "one\ntwo\nthree\n", "README.md": "Notes.\n" };
const contract = { changed_files_only: ["notes.txt"], file_contains: [{ path: "notes.txt", text: "TWO" }] };
const shout: Step = { edit: { path: "notes.txt", find: "two", replace: "TWO" } };

/** The same task file and agent for every run, so that the second resumes the first. */
function markdown(
  remote: string,
  words: { readonly text?: string; readonly block?: object; readonly front?: string } = {},
): string {
  const { text = "Shout the second line.", block = contract, front = "" } = words;
  const fence = "```";
  return `---\ntitle: Shout\nrepo: ${remote}\n${front}---\n\n${text}\n\n${fence}acceptance\n${JSON.stringify(block)}\n${fence}\n`;
}

describe("the same command again", () => {
  let pipeline: Pipeline;
  let agent: string;

  beforeEach(() => {
    pipeline = openPipeline(base);
    agent = writeAgent("agent", [shout]);
  });
  afterEach(() => pipeline[Symbol.dispose]());

  function writeAgent(name: string, steps: readonly Step[]): string {
    const file = path.join(pipeline.home, `${name}.json`);
    writeFileSync(file, JSON.stringify({ version: 1, steps }));
    return `scripted:${file}`;
  }

  const run = (options: Partial<DeliverOptions> = {}): Promise<Delivered> =>
    pipeline.deliver({ agent, contract: null, markdown: markdown(pipeline.remote), ...options });

  const attempts = (): readonly string[] => {
    const directory = path.join(pipeline.state, "attempts");
    return existsSync(directory) ? readdirSync(directory).filter((name) => !name.startsWith(".")) : [];
  };

  const ended = (ran: Delivered): readonly unknown[] => [
    ran.exit,
    ran.error ?? ran.status,
    ran.answer["resumed"] ?? null,
  ];

  test("[D12] a contract edited between two runs is refused as changed; a typo around the block is not; --new-attempt is the way", async () => {
    expect(ended(await run())).toEqual([0, "published", false]);
    const typo = markdown(pipeline.remote, { text: "Shout teh second line, plese." });
    expect(ended(await run({ markdown: typo }))).toEqual([0, "published", true]);
    const eased = { ...contract, changed_files_only: ["**"] };
    const edited = await run({ markdown: markdown(pipeline.remote, { block: eased }) });
    expect(ended(edited)).toEqual([3, "contract-changed", null]);
    expect(JSON.stringify(edited.answer)).toContain("--new-attempt");
    const respelled = JSON.stringify(contract, null, 4).replace("{", "{\n");
    const spaced = markdown(pipeline.remote).replace(JSON.stringify(contract), respelled);
    expect(ended(await run({ markdown: spaced }))).toEqual([0, "published", true]);
    const renewed = await run({ markdown: markdown(pipeline.remote, { block: eased }), flags: ["--new-attempt"] });
    expect([renewed.exit, renewed.status, renewed.answer["proven"]]).toEqual([3, "attached", false]);
    expect(await pipeline.pulls()).toHaveLength(1);
  });

  test("[D8] auto_safe without a contract is refused at creation: nothing cloned, no attempt, no state", async () => {
    const text = markdown(pipeline.remote, { front: "authority: auto_safe\n" }).replace(
      /```acceptance[\s\S]*```\n/u,
      "",
    );
    const refused = await run({ markdown: text });
    expect([refused.exit, refused.error]).toEqual([2, "authority-refused"]);
    expect([existsSync(pipeline.state), Object.keys(pipeline.refs())]).toEqual([false, ["refs/heads/main"]]);
  });

  test("[D10] an operator may omit the contract: published, the body's first line says so, exit 3", async () => {
    const text = markdown(pipeline.remote).replace(/```acceptance[\s\S]*```\n/u, "");
    const ran = await run({ markdown: text });
    expect([ran.exit, ran.status, ran.verdict?.outcome, ran.answer["proven"]]).toEqual([
      3,
      "published",
      "unchecked",
      false,
    ]);
    const [pull, ...more] = await pipeline.pulls();
    expect([pull?.body.split("\n")[0], more]).toEqual(["Acceptance: not machine-checked", []]);
    expect(ran.artifact("report.md")?.split("\n")[0]).toBe("Acceptance: not machine-checked");
    const again = await run({ markdown: text });
    expect(ended(again)).toEqual([3, "published", true]);
    const renewed = await run({ markdown: text, flags: ["--new-attempt"] });
    expect([renewed.exit, renewed.status]).toEqual([3, "attached"]);
  });

  test("[F18] an agent that changes nothing, and says that all is done, is an honest failure", async () => {
    const idle = writeAgent("idle", [{ say: "Done! All tests pass. I added 3 tests." }]);
    const ran = await run({ agent: idle });
    expect([ran.exit, ran.status]).toEqual([1, "acceptance_failed"]);
    expect(ran.blocks).toContain("no-change");
    expect([Object.keys(pipeline.refs()), (await pipeline.pulls()).length]).toEqual([["refs/heads/main"], 0]);
  });

  test("[E9] [G7] an attempt that ended is shown as it ended, with its artifacts, and no agent runs again", async () => {
    const marked = writeAgent("wrong", [{ write: { path: "other.txt", text: "no\n" } }]);
    const first = await run({ agent: marked });
    expect(ended(first)).toEqual([1, "acceptance_failed", false]);
    // Were the agent asked again, it would find no script.
    const again = await run({ agent: marked });
    expect(ended(again)).toEqual([1, "acceptance_failed", true]);
    expect([again.out, again.verdict, attempts().length]).toEqual([first.out, first.verdict, 1]);
    expect(existsSync(path.join(again.out, "acceptance.json"))).toBe(true);
    const text = await pipeline.run(pipeline.home, [
      "deliver",
      path.join(pipeline.home, "task-1.md"),
      "--agent",
      marked,
    ]);
    expect([text.exit, text.stderr]).toEqual([1, expect.not.stringContaining("the agent works")]);
    expect(text.stdout).toContain("(from the stored attempt; --new-attempt starts over)");
  });

  test("[G7] stored facts that were touched are damage, never a verdict", async () => {
    const first = await run({ agent: writeAgent("wrong", [{ write: { path: "other.txt", text: "no\n" } }]) });
    const file = path.join(first.out, "facts.json");
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("other.txt", "notes.txt"));
    const again = await run({ agent: writeAgent("wrong", []) });
    expect(ended(again)).toEqual([3, "attempt-damaged", null]);
  });

  test("[F16] the repository is a path to a dirty work tree: files, index and HEAD are byte for byte as they were", async () => {
    const work = pipeline.clone("dirty");
    writeFileSync(path.join(work, "notes.txt"), "one\ntwo, unsaved work\nthree\n");
    writeFileSync(path.join(work, "untracked.txt"), "mine\n");
    writeFileSync(path.join(work, "staged.txt"), "staged\n");
    plainGit(work, "add", "staged.txt");
    const before = snapshot(work);
    const ran = await run({ markdown: markdown(work) });
    expect([ran.exit, ran.status]).toEqual([0, "published"]);
    expect(ran.artifact("diff.patch")).not.toMatch(/unsaved|untracked|staged/u);
    expect(snapshot(work)).toEqual(before);
    expect(plainGit(work, "status", "--porcelain")).toBe(" M notes.txt\nA  staged.txt\n?? untracked.txt\n");
  });

  test("[G3] a file:// address is a path for the local forge too", async () => {
    const ran = await run({ markdown: markdown(pathToFileURL(pipeline.remote).href) });
    expect([ran.exit, ran.status, (await pipeline.pulls()).length]).toEqual([0, "published", 1]);
    const flagged = await run({ flags: ["--repo", pathToFileURL(pipeline.remote).href] });
    expect(ended(flagged)).toEqual([0, "published", true]);
  });

  test("[G7] another agent for the same task is another attempt, which adopts what is open", async () => {
    await run();
    const ran = await run({ agent: writeAgent("other", [shout]) });
    expect([ran.exit, ran.status, attempts().length, (await pipeline.pulls()).length]).toEqual([0, "attached", 2, 1]);
  });
});

/** Every file below a directory with its bytes, `.git/index` and `HEAD` included; of the rest of `.git` only refs. */
function snapshot(directory: string): Readonly<Record<string, string>> {
  const names = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)))
    .filter((name) => !name.startsWith(".git/") || /^\.git\/(?:index|HEAD|config|refs\/heads\/main)$/u.test(name));
  return Object.fromEntries(names.toSorted().map((name) => [name, readFileSync(path.join(directory, name), "base64")]));
}
