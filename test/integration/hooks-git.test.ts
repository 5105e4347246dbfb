import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createHookFiles } from "../../src/adapters/hook-files/disk/hook-files.ts";
import { installHooks, uninstallHooks, type HookChange } from "../../src/app/install-hooks/install-hooks.ts";
import { openSessionStage, program, type SessionStage } from "./session-stage.ts";

const contract = { changed_files_only: ["file.txt"], commands: [{ command: "true" }] };

const ours = { node: process.execPath, program };

describe("trueup hook in a repository", () => {
  let stage: SessionStage;
  beforeAll(() => {
    stage = openSessionStage();
  });
  afterAll(() => stage[Symbol.dispose]());
  beforeEach(() => {
    stage.git("reset", "-q", "--hard");
  });

  const hooksIn = (directory: string): readonly string[] =>
    existsSync(directory) ? readdirSync(directory).filter((name) => !name.endsWith(".sample")) : [];
  const usual = (): string => path.join(stage.workTree, ".git", "hooks");
  /** In this process: what a command line would add is tested below. */
  const change = async (
    verb: "install" | "uninstall",
    { cwd = stage.workTree, dryRun = false } = {},
  ): Promise<readonly HookChange[]> => {
    const files = createHookFiles({ environment: stage.environment });
    const request = { directory: cwd, git: ["pre-commit", "pre-push"] as const, agents: [], program: ours, dryRun };
    return verb === "install" ? installHooks(request, files) : uninstallHooks(request, files);
  };
  const states = async (verb: "install" | "uninstall", options = {}): Promise<readonly string[]> =>
    (await change(verb, options)).map(({ layer, state }) => `${layer} ${state}`);
  /** As a program with windows runs git: next to nothing on the PATH. */
  const git = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    spawnSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.invalid", ...args], {
      cwd: stage.workTree,
      env: { ...stage.environment, PATH: "/usr/bin:/bin", ...env },
      encoding: "utf8",
    });

  test("[I11] install and uninstall leave a directory of hooks as it was, byte for byte, mode and link", async () => {
    const own = "#!/bin/sh\necho own hook ran\n";
    writeFileSync(path.join(usual(), "pre-commit"), own);
    chmodSync(path.join(usual(), "pre-commit"), 0o750);
    symlinkSync("pre-commit", path.join(usual(), "pre-push"));
    expect(await states("install", { dryRun: true })).toEqual(["pre-commit installed", "pre-push installed"]);
    expect(readFileSync(path.join(usual(), "pre-commit"), "utf8")).toBe(own);
    expect(await states("install")).toEqual(["pre-commit installed", "pre-push installed"]);
    expect(await states("install")).toEqual(["pre-commit unchanged", "pre-push unchanged"]);
    const ran = git(["commit", "--allow-empty", "-qm", "none"]);
    expect(ran).toMatchObject({ status: 0, stderr: expect.stringContaining("own hook ran") as string });
    expect(await states("uninstall")).toEqual(["pre-commit removed", "pre-push removed"]);
    expect(await states("uninstall")).toEqual(["pre-commit absent", "pre-push absent"]);
    expect(hooksIn(usual())).toEqual(["pre-commit", "pre-push"]);
    expect(readFileSync(path.join(usual(), "pre-commit"), "utf8")).toBe(own);
    const { status, stdout } = spawnSync("stat", ["-c", "%a %F", ...hooksIn(usual())], {
      cwd: usual(),
      encoding: "utf8",
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: "750 regular file\n777 symbolic link\n" });
    spawnSync("rm", hooksIn(usual()), { cwd: usual() });
  });

  test("[I11] a hook that somebody has changed since is left alone, by both", async () => {
    await states("install");
    const file = path.join(usual(), "pre-commit");
    writeFileSync(file, `${readFileSync(file, "utf8")}make lint\n`);
    expect(await states("install")).toEqual(["pre-commit edited", "pre-push unchanged"]);
    expect(await states("uninstall")).toEqual(["pre-commit edited", "pre-push removed"]);
    expect(readFileSync(file, "utf8")).toContain("make lint");
    spawnSync("rm", [file]);
  });

  test("core.hooksPath is respected, and a linked work tree shares the hooks", async () => {
    const elsewhere = path.join(stage.root, "hooks of mine");
    stage.git("config", "core.hooksPath", elsewhere);
    expect(await states("install")).toEqual(["pre-commit installed", "pre-push installed"]);
    expect(hooksIn(elsewhere)).toEqual(["pre-commit", "pre-push"]);
    expect(await states("uninstall")).toEqual(["pre-commit removed", "pre-push removed"]);
    stage.git("config", "--unset", "core.hooksPath");
    stage.git("worktree", "add", "-q", path.join(stage.root, "linked"));
    const [first] = await change("install", { cwd: path.join(stage.root, "linked") });
    expect(first).toMatchObject({ state: "installed", file: path.join(usual(), "pre-commit") });
    await states("uninstall");
    stage.git("worktree", "remove", path.join(stage.root, "linked"));
  });

  test("hooks among the work tree's own files are not written to: the line for the tool is said", async () => {
    const husky = path.join(stage.workTree, ".husky", "_");
    mkdirSync(husky, { recursive: true });
    stage.git("config", "core.hooksPath", ".husky/_");
    const ended = await stage.trueup(["hook", "install"]);
    expect(ended.code).toBe(2);
    expect(ended.stdout.toString()).toContain('npx --no-install trueup hook run pre-commit "$@"');
    expect(hooksIn(husky)).toEqual([]);
    stage.git("config", "--unset", "core.hooksPath");
    spawnSync("rm", ["-r", path.join(stage.workTree, ".husky")]);
  });

  test("a hook of another tool over one that was kept is not joined by us", async () => {
    const file = path.join(usual(), "pre-commit");
    writeFileSync(file, "first\n");
    await states("install");
    writeFileSync(file, "second\n");
    await expect(states("install")).rejects.toMatchObject({ code: "hook-in-the-way" });
    expect(readFileSync(`${file}.before-trueup`, "utf8")).toBe("first\n");
    spawnSync("rm", [file, `${file}.before-trueup`]);
    await states("uninstall");
  });

  test("[C7] pre-commit blocks what the session's records and the staged files do not hold, with a bare PATH", async () => {
    const file = path.join(stage.root, "contract.json");
    writeFileSync(file, JSON.stringify(contract));
    await states("install");
    writeFileSync(path.join(stage.workTree, "file.txt"), "before a session\n");
    expect(git(["commit", "-qam", "no session"])).toMatchObject({ status: 0, stdout: "", stderr: "" });
    expect(await stage.trueup(["start", "--contract", file])).toMatchObject({ code: 0 });

    writeFileSync(path.join(stage.workTree, "file.txt"), "changed\n");
    const unasked = git(["commit", "-qam", "not run"]);
    expect(unasked).toMatchObject({ status: 1, stderr: expect.stringContaining("command-not-run") as string });
    await stage.run(["true"]);
    writeFileSync(path.join(stage.workTree, "other.txt"), "outside\n");
    stage.git("add", "other.txt");
    expect(git(["commit", "-qm", "scope"]).stderr).toContain("outside-scope");
    stage.git("rm", "-q", "--cached", "other.txt");
    spawnSync("rm", [path.join(stage.workTree, "other.txt")]);

    // What was tested is the file as it is; something else is staged.
    stage.git("add", "file.txt");
    writeFileSync(path.join(stage.workTree, "file.txt"), "later\n");
    await stage.run(["true"]);
    expect(git(["commit", "-qm", "not what ran"]).stderr).toContain("stale-record");
    // `commit -a` has an index of its own, and that one is what was tested.
    expect(git(["commit", "-qam", "what ran"])).toMatchObject({ status: 0, stderr: "" });

    writeFileSync(path.join(stage.workTree, "file.txt"), "not run again\n");
    expect(git(["commit", "-qam", "off"], { TRUEUP_HOOK: "off" })).toMatchObject({ status: 0 });
    expect(git(["commit", "--allow-empty", "-qm", "still stale"])).toMatchObject({ status: 1 });
    await states("uninstall");
  });

  test("a hook whose program is gone blocks and says what to do", async () => {
    await states("install");
    const file = path.join(usual(), "pre-commit");
    writeFileSync(file, readFileSync(file, "utf8").replace(/^program=.*$/mu, "program=/gone/trueup.js"));
    const ended = git(["commit", "--allow-empty", "-qm", "x"]);
    expect(ended).toMatchObject({ status: 1, stderr: expect.stringContaining("trueup hook install") as string });
    spawnSync("rm", [file]);
    await states("uninstall");
  });
});
