import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ErrorCode } from "../../src/error-table.ts";
import { expectJsonRefusal, expectRefusal, halfWritten, openStage, type Ended, type Stage } from "./bad-input-stage.ts";
import { plainGit, writeFiles } from "./pipeline-stage.ts";

const contract = '{"max_added_lines":2}';
const base = { "a.txt": "a\n", "sub/b.txt": "b\n" };

let stage: Stage;
beforeAll(() => {
  stage = openStage();
  stage.write({ "contract.json": contract });
});
afterAll(() => stage[Symbol.dispose]());

const check = (directory: string, ...flags: readonly string[]): Promise<Ended> =>
  stage.run(directory, ["check", "--contract", stage.path("contract.json"), ...flags]);

interface Judged {
  readonly exit: number | null;
  readonly outcome: string;
  readonly added: string;
  readonly blocks: readonly string[];
}

/** One `check --json` that judged: outcome, the line count as printed, and what blocks or stays open. */
async function judge(directory: string, ...flags: readonly string[]): Promise<Judged> {
  const ended = await check(directory, "--json", ...flags);
  expect(ended.stderr).toBe("");
  const { verdict } = JSON.parse(ended.stdout) as {
    verdict: {
      outcome: string;
      criteria: { detail: string }[];
      findings: { code: string; subject: string; severity: string }[];
    };
  };
  const blocks = verdict.findings.filter((one) => one.severity !== "warn" && one.severity !== "info");
  return {
    exit: ended.exit,
    outcome: verdict.outcome,
    added: verdict.criteria[0]?.detail ?? "",
    blocks: blocks.map((one) => `${one.code} ${one.subject}`.trim()).toSorted(),
  };
}

const passed: Judged = { exit: 0, outcome: "passed", added: "1 added (limit 2)", blocks: [] };

describe("a repository that cannot be judged", () => {
  type Row = readonly [what: string, code: ErrorCode, says: RegExp, make: (name: string) => string];
  const git = plainGit;
  const commit = (name: string): string => stage.repository(name, base, { "a.txt": "a\nz\n" });
  const objectOf = (directory: string, revision: string): string => {
    const id = git(directory, "rev-parse", revision).trim();
    return path.join(directory, ".git/objects", id.slice(0, 2), id.slice(2));
  };
  const table: readonly Row[] = [
    ["no repository", "not-a-repository", /There is no git work tree here/u, () => stage.path("home")],
    [
      "a bare repository",
      "not-a-repository",
      /bare/u,
      (name) => (git(stage.home, "clone", "-q", "--bare", commit(`${name}-of`), name), stage.path(name)),
    ],
    ["a .git directory", "not-a-repository", /\.git/u, (name) => path.join(commit(name), ".git")],
    [
      "a .git file that leads nowhere",
      "not-a-repository",
      /./u,
      (name) => (stage.write({ [`${name}/.git`]: "gitdir: /nonexistent/x\n" }), stage.path(name)),
    ],
    [
      "an empty repository",
      "repository-empty",
      /has no commit/u,
      (name) => (git(stage.home, "init", "-q", name), stage.path(name)),
    ],
    [
      "an unborn branch beside others",
      "repository-empty",
      /HEAD names refs\/heads\/none, which has no commit/u,
      (name) => (writeFileSync(path.join(commit(name), ".git/HEAD"), "ref: refs/heads/none\n"), stage.path(name)),
    ],
    [
      "a broken HEAD",
      "repository-invalid",
      /its HEAD names neither a branch nor a commit/u,
      (name) => (writeFileSync(path.join(commit(name), ".git/HEAD"), "garbage\n"), stage.path(name)),
    ],
    [
      "a shallow clone",
      "repository-shallow",
      /is a shallow clone/u,
      (name) => {
        git(commit(`${name}-of`), "commit", "-q", "-a", "-m", "second");
        git(stage.home, "clone", "-q", "--depth=1", `file://${stage.path(`${name}-of`)}`, name);
        return stage.path(name);
      },
    ],
    [
      "a corrupt object",
      "repository-invalid",
      /corrupt/u,
      (name) => {
        const object = objectOf(commit(name), "HEAD:sub/b.txt");
        chmodSync(object, 0o600);
        writeFileSync(object, "garbage");
        return stage.path(name);
      },
    ],
    [
      "a missing object",
      "repository-invalid",
      /damaged or forbidden objects/u,
      (name) => (rmSync(objectOf(commit(name), "HEAD:sub/b.txt"), { force: true }), stage.path(name)),
    ],
    [
      "refs in a reftable",
      "repository-unsupported",
      /its refs are a reftable/u,
      (name) => (git(commit(name), "config", "extensions.refStorage", "reftable"), stage.path(name)),
    ],
    [
      "a work tree elsewhere by core.worktree",
      "repository-unsupported",
      /core\.worktree puts its work tree at /u,
      (name) => (git(commit(name), "config", "core.worktree", stage.path("home")), stage.path(name)),
    ],
  ];

  test.each(table)("%s: check says so, and judges nothing", async (...row) => {
    const [what, code, says, make] = row;
    const directory = make(what.replaceAll(/[ .]/gu, "-"));
    expectRefusal(await check(directory), { code, says });
    expectJsonRefusal(await check(directory, "--json"), code);
    expect(halfWritten(stage.home)).toEqual([]);
  });

  test("[F2] deliver says the same of its repository, before an agent is started", async () => {
    const rows: readonly (readonly [string, ErrorCode, RegExp])[] = [
      ["nowhere", "repository-unreachable", /there is no such path/u],
      ["home", "repository-unreachable", /there is no git repository at this path/u],
      ["an-empty-repository", "repository-empty", /has no commit/u],
      ["an-unborn-branch-beside-others", "base-not-found", /the remote names no default branch/u],
      ["a-shallow-clone", "repository-shallow", /shallow/u],
      ["a-missing-object", "repository-invalid", /damaged/u],
    ];
    stage.write({ "agent.json": JSON.stringify({ version: 1, steps: [{ write: { path: "x", text: "x" } }] }) });
    for (const [repo, code, says] of rows) {
      stage.write({ "task.json": JSON.stringify({ title: repo, repo: `./${repo}`, prompt: "Do it." }) });
      const argv = ["deliver", "task.json", "--agent", "scripted:agent.json"];
      expectRefusal(await stage.run(stage.home, argv), { code, says });
      expectJsonRefusal(await stage.run(stage.home, [...argv, "--json"]), code);
    }
    expect(halfWritten(stage.home)).toEqual([]);
  });
});

describe("a revision that is not there", () => {
  let work: string;
  beforeAll(() => {
    work = stage.repository("revisions", base, { "a.txt": "a\nz\n" });
  });

  test.each(["nope", "../x", "-x", "", "HEAD~9", "0".repeat(40), "abcdef1", "main^{tree}", "--all"])(
    "--base=%s is refused by name",
    async (revision) => {
      const ended = await check(work, `--base=${revision}`);
      expectRefusal(ended, { code: "base-not-found" });
      expect(ended.stderr).toContain(`exist: ${revision} [`);
    },
  );

  test("a commit that is judged is named in the same words, and HEAD~1 and short ids are found", async () => {
    expectRefusal(await check(work, "--commit", "nope"), { code: "base-not-found", says: /exist: nope \[/u });
    plainGit(work, "commit", "-q", "-a", "-m", "second");
    const short = plainGit(work, "rev-parse", "--short=8", "HEAD~1").trim();
    for (const revision of ["HEAD~1", "main^", short])
      expect(await judge(work, "--base", revision, "--commit", "HEAD")).toEqual(passed);
  });
});

describe("a repository that is unusual and can be judged", () => {
  const write = (directory: string): string => (writeFiles(directory, { "a.txt": "a\nz\n" }), directory);

  test("a dirty tree, from below, detached, in a linked work tree and with SHA-256 ids", async () => {
    const work = stage.repository("usual", base, { "a.txt": "a\nz\n" });
    const linked = stage.path("linked");
    plainGit(work, "worktree", "add", "-q", "-b", "side", linked);
    plainGit(stage.home, "init", "-q", "-b", "main", "--object-format=sha256", "wide");
    const wide = stage.repository("wide", base, { "a.txt": "a\nz\n" });
    plainGit(work, "checkout", "-q", "--detach");
    for (const directory of [work, path.join(work, "sub"), write(linked), wide])
      expect([directory, await judge(directory)]).toEqual([directory, passed]);
    expect(plainGit(work, "status", "--porcelain")).toBe(" M a.txt\n");
  });

  test("submodules: unchanged in the index is fine, checked out is undetermined, moved or new blocks", async () => {
    const library = stage.repository("library", { "l.txt": "l\n" });
    const add = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "lib"];
    const work = stage.repository("with-module", base);
    plainGit(work, ...add);
    plainGit(work, "commit", "-q", "-m", "module");
    write(work);
    expect(await judge(work)).toMatchObject({ exit: 3, outcome: "undetermined", blocks: ["not-measured lib"] });
    plainGit(work, "add", "a.txt");
    expect(await judge(work, "--staged")).toEqual(passed);
    plainGit(path.join(work, "lib"), "commit", "-q", "--allow-empty", "-m", "bump");
    plainGit(work, "add", "lib");
    const moved = await judge(work, "--staged");
    expect(moved).toMatchObject({ exit: 1, blocks: expect.arrayContaining(["hazard-submodule lib"]) as string[] });
    plainGit(work, "submodule", "--quiet", "deinit", "-f", "lib");
    expect(await judge(work)).toEqual(passed);

    const fresh = stage.repository("new-module", base);
    plainGit(fresh, ...add);
    const added = await judge(fresh, "--staged");
    expect(added).toMatchObject({ exit: 1, blocks: expect.arrayContaining(["hazard-submodule lib"]) as string[] });
  });

  test("names that are not UTF-8 stay where base has them, and block where they are new", async () => {
    const odd = Buffer.concat([Buffer.from(stage.path("odd-names/b")), Buffer.from([0xff])]);
    const work = stage.repository("odd-names", base);
    writeFileSync(odd, "odd\n");
    const fresh = await judge(work);
    expect(fresh).toMatchObject({ exit: 1, blocks: ["hazard-invalid-utf8 b\\xff"] });
    plainGit(work, "add", "-A");
    plainGit(work, "commit", "-q", "-m", "odd");
    write(work);
    expect(await judge(work)).toEqual(passed);
  });

  test("CRLF in every file counts as git itself would count it: by attributes, by core.autocrlf, else as changed", async () => {
    const text = { "a.txt": "a\nb\n", "b.txt": "a\nb\n" };
    const crlf = { "a.txt": "a\r\nb\r\nc\r\n", "b.txt": "a\r\nb\r\n" };
    const attributes = { ".gitattributes": "* text=auto\n" };
    const byAttributes = stage.repository("crlf-attributes", { ...text, ...attributes }, crlf);
    const bySetting = stage.repository("crlf-setting", text, crlf);
    plainGit(bySetting, "config", "core.autocrlf", "true");
    const byUser = stage.repository("crlf-user", text, crlf);
    const user = { ...stage.env, GIT_CONFIG_GLOBAL: stage.path("user.gitconfig") };
    stage.write({ "user.gitconfig": "[core]\n\tautocrlf = input\n" });
    expect(await judge(byAttributes)).toEqual(passed);
    expect(await judge(bySetting)).toEqual(passed);
    const argv = ["check", "--contract", stage.path("contract.json"), "--quiet"];
    expect(await stage.run(byUser, argv, user)).toMatchObject({ exit: 0 });
    const changed = await judge(byUser);
    expect(changed).toMatchObject({
      exit: 1,
      added: "5 added (limit 2)",
      blocks: ["added-lines-over max_added_lines"],
    });
  });

  test("a sparse work tree is not taken for a deletion, and not for a pass", async () => {
    const work = stage.repository("sparse", { ...base, "big/c.txt": "c\n" });
    plainGit(work, "sparse-checkout", "set", "sub");
    write(work);
    const sparse = await judge(work);
    expect(sparse).toMatchObject({ exit: 3, outcome: "undetermined", added: "1 added (limit 2)" });
    expect(sparse.blocks).toEqual([expect.stringMatching(/^not-measured /u)]);
  });

  test("a line of 2 MB is one line", async () => {
    const work = stage.repository("long-line", base, { "long.txt": "x".repeat(2_000_000) });
    expect(await judge(work)).toEqual(passed);
  });

  test("a nested repository, a pipe and links in a circle block by name", async () => {
    const work = stage.repository("hazards", base);
    plainGit(work, "init", "-q", "inner");
    spawnSync("mkfifo", [path.join(work, "pipe")]);
    symlinkSync("two", path.join(work, "one"));
    symlinkSync("one", path.join(work, "two"));
    const { exit, blocks } = await judge(work);
    expect(exit).toBe(1);
    expect(blocks).toEqual([
      "hazard-device-or-socket pipe",
      "hazard-nested-repository inner/.git",
      "hazard-symlink-outside one",
      "hazard-symlink-outside two",
    ]);
  });

  test("an index with conflicts is not judged as if it were whole", async () => {
    const work = stage.repository("conflict", base, { "a.txt": "ours\n" });
    plainGit(work, "commit", "-q", "-a", "-m", "ours");
    plainGit(work, "checkout", "-q", "-b", "theirs", "HEAD~1");
    writeFiles(work, { "a.txt": "theirs\n" });
    plainGit(work, "commit", "-q", "-a", "-m", "theirs");
    expect(() => plainGit(work, "merge", "-q", "main")).toThrow(/CONFLICT|failed/u);
    expectRefusal(await check(work, "--staged"), { code: "index-unmerged", says: /a\.txt/u });
  });
});

describe("a work tree that does not hold still", () => {
  test("a file that grows while it is read ends the check, exit 3", async () => {
    const work = stage.repository("growing", base, { "log.txt": Buffer.alloc(64 * 2 ** 20, "x") });
    const writer = spawn("sh", ["-c", "while :; do echo x >>log.txt; done"], { cwd: work });
    try {
      await new Promise((resolve) => writer.once("spawn", resolve));
      expectRefusal(await check(work), { code: "tree-changed-while-read", says: /log\.txt/u });
    } finally {
      writer.kill("SIGKILL");
    }
  });

  test("a mirror that was damaged is said to be that; without it the same command passes", async () => {
    const work = stage.repository("mirrored", base, { "a.txt": "a\nz\n" });
    const mirrors = stage.path("cache/mirrors");
    const before = new Set(readdirSync(mirrors));
    expect(await judge(work)).toEqual(passed);
    const made = readdirSync(mirrors).find((name) => name.endsWith(".git") && !before.has(name)) ?? "";
    rmSync(path.join(mirrors, made, "config"));
    expectRefusal(await check(work), { code: "mirror-broken", says: new RegExp(made, "u"), hint: /made anew/u });
    mkdirSync(stage.path("aside"));
    renameSync(path.join(mirrors, made), stage.path("aside", made));
    expect(await judge(work)).toEqual(passed);
  });
});
