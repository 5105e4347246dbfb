import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { issueText, openCiStage, said, type CiStage, type Job } from "./ci-stage.ts";

const scope = { changed_files_only: ["src/**"] };
const wide = { changed_files_only: ["**"] };
const start = {
  "package.json": '{"name":"slug","version":"1.0.0","private":true,"type":"module"}\n',
  "src/slug.js": "export const slug = (text) => text;\n",
  ".gitignore": "node_modules/\n",
};
const inside = { "src/slug.js": "export const slug = (text) => text.trim();\n" };
const outside = { ...inside, "README.md": "# changed too\n" };
const concluded = ({ exit, blocks, open, stdout, stderr }: Job): unknown => {
  if (exit === 2) return { exit, stdout, stderr };
  return { exit, blocks, open };
};

/** Contracts here ask for no test: what runs in the clean room is another file's. */
describe("the Action on recorded events", () => {
  let stage: CiStage;
  let good: string;
  let bad: string;
  beforeAll(async () => {
    stage = await openCiStage(start);
    good = stage.commit(stage.base, inside);
    bad = stage.commit(stage.base, outside);
  });
  afterAll(() => stage[Symbol.asyncDispose]());
  beforeEach(() => stage.say({ issues: { 1: [said.before(issueText(scope))] } }));

  test("[H14] same repository: the contract of the issue holds, and the head that was asked about is judged", async () => {
    const job = await stage.run({ event: "same-repository", base: stage.base, head: good });
    expect(concluded(job)).toEqual({ exit: 0, blocks: [], open: [] });
    expect(job.verdict).toMatchObject({ outcome: "passed", grade: { value: "B" } });
    expect(job.facts?.request).toMatchObject({ kind: "pull-request", head: good, fork: false, contract_from: "issue" });
    expect(job.summary).toMatch(/^### Trueup: ✅ passed/u);
    expect(job.outputs).toContain("outcome=passed\nexit-code=0\n");
    expect(job.stdout + job.stderr).not.toContain("read-only");
  });

  test("[C8] a bad change is blocked in CI, whatever hook was switched off before, and is annotated", async () => {
    const job = await stage.run({ event: "same-repository", base: stage.base, head: bad, env: { TRUEUP_HOOK: "off" } });
    expect(concluded(job)).toEqual({ exit: 1, blocks: ["outside-scope README.md"], open: [] });
    expect(job.stdout).toContain("::error file=README.md,title=trueup%3A outside-scope::");
    expect(job.summary).toMatch(/^### Trueup: ⛔ blocked/u);
  });

  test("[H14] fork: the same contract holds for a stranger", async () => {
    const honest = await stage.run({ event: "fork", base: stage.base, head: good });
    expect(concluded(honest)).toEqual({ exit: 0, blocks: [], open: [] });
    expect(honest.facts?.request).toMatchObject({ fork: true, author: { name: "eve", permission: "less" } });
    const other = await stage.run({ event: "fork", base: stage.base, head: bad });
    expect(concluded(other)).toEqual({ exit: 1, blocks: ["outside-scope README.md"], open: [] });
  });

  test("[D11] a contract in the pull request's own text or tree counts for nothing", async () => {
    stage.say({ pull: [said.opening(issueText(wide))] });
    const own = stage.commit(stage.base, { ...outside, ".trueup/contract.json": JSON.stringify(wide) });
    const job = await stage.run({ event: "agent", base: stage.base, head: own });
    expect(concluded(job)).toEqual({ exit: 1, blocks: ["protected-path .trueup/contract.json"], open: [] });
    expect(job.facts?.request?.contract_from).toBe("none");
  });

  test("[D11] edited issue: other words change nothing, another block is not the one that was pinned", async () => {
    const first = said.before(issueText(scope));
    stage.say({ issues: { 1: [first, said.after(issueText(scope, "The same, without a typo."), "grace")] } });
    const words = await stage.run({ event: "same-repository", base: stage.base, head: good });
    expect(concluded(words)).toEqual({ exit: 0, blocks: [], open: [] });
    stage.say({ issues: { 1: [first, said.after(issueText(wide))] } });
    const block = await stage.run({ event: "same-repository", base: stage.base, head: bad });
    expect(concluded(block)).toEqual({ exit: 1, blocks: ["contract-changed issue #1"], open: [] });
  });

  test("[D11] an edit whose history the forge does not keep is not known, and nothing passes", async () => {
    stage.say({ issues: { 1: [said.before(issueText(scope)), said.after(issueText(scope, "New words."))] } });
    stage.github.world = { ...stage.github.world, fault: "forgetful" };
    const job = await stage.run({ event: "same-repository", base: stage.base, head: good });
    expect(concluded(job)).toEqual({ exit: 3, blocks: [], open: ["contract-unpinned issue #1"] });
  });

  test.each([
    ["untrusted author", [said.before(issueText(wide), "eve")]],
    ["untrusted last editor", [said.before("later"), said.before(issueText(wide), "eve")]],
    ["a program with write permission, which may be the agent", [said.before(issueText(wide), "builder[bot]")]],
  ])("[D11] %s: the contract is not used", async (_name, texts) => {
    stage.say({ issues: { 1: texts } });
    const job = await stage.run({ event: "same-repository", base: stage.base, head: bad });
    expect(concluded(job)).toEqual({ exit: 1, blocks: ["contract-untrusted issue #1"], open: [] });
    expect(job.facts?.request?.contract_from).toBe("none");
  });

  test("[D11] two contracted issues: neither is taken", async () => {
    stage.say({
      issues: { 1: [said.before(issueText(scope))], 2: [said.before(issueText(wide))] },
      pull: [said.opening("closes #1 and closes #2")],
    });
    const job = await stage.run({ event: "same-repository", base: stage.base, head: bad });
    expect(concluded(job)).toEqual({ exit: 1, blocks: ["contract-ambiguous issues"], open: [] });
  });

  test("[D11] contract shopping: a pull request that changes which issue it closes gets neither contract", async () => {
    const issues = { 1: [said.before(issueText(scope))], 2: [said.before(issueText(wide))] };
    stage.say({ issues, pull: [said.opening("closes #1"), said.after("closes #2", "eve")] });
    const job = await stage.run({ event: "fork", base: stage.base, head: bad });
    expect(concluded(job)).toEqual({
      exit: 1,
      blocks: ["contract-ambiguous issues", "contract-changed issue #1"],
      open: ["contract-unpinned issue #2"],
    });
  });

  test("[D11] contract shopping: an issue written or linked after the opening is not the pinned one", async () => {
    stage.say({ issues: { 1: [said.after(issueText(wide))] } });
    const written = await stage.run({ event: "same-repository", base: stage.base, head: bad });
    expect(concluded(written)).toEqual({ exit: 1, blocks: ["contract-changed issue #1"], open: [] });
    stage.say({ issues: { 1: [said.before(issueText(wide))] }, pull: [said.opening("none"), said.after("closes #1")] });
    const linked = await stage.run({ event: "same-repository", base: stage.base, head: bad });
    expect(concluded(linked)).toEqual({ exit: 3, blocks: [], open: ["contract-unpinned issue #1"] });
  });

  test("[D11] contract shopping: a branch cut before the standing contract was written is held to it", async () => {
    stage.say({ pull: [said.opening("closes nothing")] });
    const guarded = stage.commit(stage.base, { ".trueup/contract.json": JSON.stringify(scope) });
    const job = await stage.run({ event: "same-repository", base: guarded, head: bad });
    expect(concluded(job)).toEqual({ exit: 1, blocks: ["outside-scope README.md"], open: [] });
    expect(job.facts?.request).toMatchObject({ contract_from: "base", contract_base: guarded });
  });

  test("[H14] head moved: what is checked out is not what was asked about, and nothing is judged", async () => {
    const job = await stage.run({ event: "same-repository", base: stage.base, head: good, checkout: bad });
    expect([job.exit, job.verdict]).toEqual([3, null]);
    expect(job.stdout).toContain("::error title=trueup%3A head-moved::");
    expect(job.summary).toContain("nothing was judged");
    expect(job.outputs).toBe("exit-code=3\n");
  });

  test("[H14] a merge of another head is not the one that was asked about either", async () => {
    const merged = stage.merge(stage.commit(stage.base, { "a.txt": "x\n" }), bad);
    const job = await stage.run({ event: "same-repository", base: stage.base, head: good, checkout: merged });
    expect([job.exit, job.verdict]).toEqual([3, null]);
  });

  test("[C9] the merge that the forge made is judged as it will stand on the base, against the base as it is now", async () => {
    stage.say({ pull: [said.opening("closes nothing")] });
    const tip = stage.commit(stage.base, { ".trueup/contract.json": JSON.stringify(scope), "a.txt": "x\n" });
    const merged = stage.merge(tip, bad);
    const job = await stage.run({ event: "same-repository", base: stage.base, head: bad, checkout: merged });
    expect(concluded(job)).toEqual({ exit: 1, blocks: ["outside-scope README.md"], open: [] });
    expect(job.verdict).toMatchObject({ base_commit: tip });
    expect(job.facts?.request?.head).toBe(merged);
  });

  test("[C9] merge group with two members: the group's tree is judged as a whole under the standing contract", async () => {
    const tip = stage.commit(stage.base, { ".trueup/contract.json": JSON.stringify({ max_changed_files: 1 }) });
    const one = stage.commit(tip, inside);
    const two = stage.commit(tip, { "README.md": "# two\n" });
    const first = stage.merge(tip, one);
    const group = stage.merge(first, two);
    expect((await stage.run({ event: "merge-group", base: tip, head: first })).exit).toBe(0);
    const job = await stage.run({ event: "merge-group", base: tip, head: group });
    expect(job).toMatchObject({ exit: 1, blocks: [expect.stringContaining("changed-files-over")] });
    expect(job.facts?.request).toMatchObject({ kind: "merge-group", author: null });
    expect(job.facts?.change.entries).toHaveLength(2);
  });

  test("first install: a person may bring the contract in, with a notice that nothing was checked; an agent may not", async () => {
    stage.say({ pull: [said.opening("closes nothing")] });
    const install = stage.commit(stage.base, {
      ".trueup/contract.json": JSON.stringify(scope),
      ".github/workflows/trueup.yml": "name: trueup\n",
    });
    const person = await stage.run({ event: "same-repository", base: stage.base, head: install });
    expect(concluded(person)).toEqual({ exit: 0, blocks: [], open: [] });
    expect(person.verdict?.outcome).toBe("unchecked");
    expect(person.stdout).toContain("Nothing was checked");
    for (const event of ["agent", "fork"] as const) {
      const other = await stage.run({ event, base: stage.base, head: install });
      expect(other.exit).toBe(1);
      expect(other.blocks).toContain("protected-path .trueup/contract.json");
    }
  });

  test("a profile of the base: a person with write permission is shown what steers, a fork's author and an agent are stopped", async () => {
    stage.say({ pull: [said.opening("closes nothing")] });
    const standing = JSON.stringify({ changed_files_only: ["**"] });
    const profiles = [{ profile: "person", author: "person", permission: "write" }];
    const base = stage.commit(stage.base, {
      ".trueup/contract.json": standing,
      ".trueup/config.json": JSON.stringify({ version: 1, profiles }),
    });
    const head = stage.commit(base, { ".npmrc": "save-exact=true\n" });
    const person = await stage.run({ event: "same-repository", base, head });
    expect(concluded(person)).toEqual({ exit: 0, blocks: [], open: [] });
    expect(person.facts?.profile).toEqual({ name: "person", because: "profiles[0]: a person with write permission" });
    const shown = person.verdict?.findings.filter(({ severity }) => severity === "warn").map(({ code }) => code);
    expect(shown).toEqual(expect.arrayContaining(["protected-path"]));
    for (const event of ["agent", "fork"] as const)
      expect((await stage.run({ event, base, head })).blocks).toContain("protected-path .npmrc");
  });

  test("no contract: a person passes with a notice, unless one is required; an agent does not pass", async () => {
    stage.say({ pull: [said.opening("closes nothing")] });
    const plain = { base: stage.base, head: good };
    const person = await stage.run({ event: "same-repository", ...plain });
    expect([person.exit, person.verdict?.outcome]).toEqual([0, "unchecked"]);
    const asked = { "INPUT_REQUIRE-CONTRACT": "true" };
    expect((await stage.run({ event: "same-repository", ...plain, env: asked })).exit).toBe(3);
    expect((await stage.run({ event: "agent", ...plain })).exit).toBe(3);
    const strict = stage.commit(stage.base, { ".trueup/config.json": '{"version":1,"require_contract":true}' });
    expect((await stage.run({ event: "same-repository", base: strict, head: good })).exit).toBe(3);
  });

  test.each([
    ["is down", {}, "unreachable"],
    ["may not be asked, since there is no token", { INPUT_TOKEN: "" }, undefined],
  ] as const)("[H14] a forge that %s: an issue might hold a contract, so nothing passes", async (_name, env, fault) => {
    if (fault !== undefined) stage.github.world = { ...stage.github.world, fault };
    const job = await stage.run({ event: "same-repository", base: stage.base, head: good, env });
    expect(concluded(job)).toEqual({ exit: 3, blocks: [], open: ["contract-unpinned issues"] });
  });

  test.each([
    ["pull_request_target, where secrets stand beside code of the change", "pull_request_target", "ci-event-invalid"],
    ["an event that is not understood", "push", "ci-event-invalid"],
  ])("[H14] %s is refused", async (_name, eventName, code) => {
    const job = await stage.run({ event: "same-repository", base: stage.base, head: good, eventName });
    expect([job.exit, job.verdict]).toEqual([2, null]);
    expect(job.stderr).toContain(code);
  });

  test.each([
    ["installed packages", { beside: { "node_modules/x/index.js": "" } }],
    ["a built file", { beside: { "dist.js": "" } }],
    ["a changed source", { beside: { "src/slug.js": "export const slug = 1;\n" } }],
    ["options for every Node process", { env: { NODE_OPTIONS: "--no-warnings" } }],
  ])("[H15] %s beside the checkout: something ran before the gate, and nothing passes", async (_name, more) => {
    const job = await stage.run({ event: "same-repository", base: stage.base, head: good, ...more });
    expect(concluded(job)).toEqual({ exit: 3, blocks: [], open: ["gate-not-first"] });
  });

  test("[H15] no program of the repository is started by the gate: hooks, filters and configuration stay unread", async () => {
    const armed = stage.commit(stage.base, {
      ...inside,
      ".gitattributes": "* filter=evil\n",
      "src/postinstall.js": "process.exit(1);\n",
    });
    stage.say({ issues: { 1: [said.before(issueText({ ...scope, allow_protected: [".gitattributes"] }))] } });
    const job = await stage.run({ event: "same-repository", base: stage.base, head: armed });
    expect(job.exit).toBe(1);
    expect(job.blocks).toEqual(["outside-scope .gitattributes"]);
  });
});
