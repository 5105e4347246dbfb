import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, linkSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { changedPaths, dangers, openGitStage } from "./git-stage.ts";

// The git attacks of the catalogue, by their numbers. Each is done by real git or real files in the agent's room.
const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index}\n`).join("");
const base = { "src/a.ts": "one\ntwo\nthree\n", "src/b.ts": "b\n", ".gitignore": "node_modules/\n*.log\n/secret.ts\n" };

test("[E13] 103: a `-diff` attribute and a NUL byte leave every line countable", async () => {
  using stage = openGitStage({ files: base });
  const { room, facts } = await stage.open();
  stage.write(room, {
    ".gitattributes": "* -diff -text\n*.ts binary\n",
    "src/a.ts": `\0${lines(500)}`,
    "src/n.ts": `${lines(40)}\0\n`,
  });
  const found = await facts();
  expect(found).toMatchObject({ added_lines: 500 + 41 + 2, deleted_lines: 3 });
  expect(found.entries.every((entry) => !entry.true_binary)).toBe(true);
});

test("[E13] 104: `linguist-generated -diff` in the change's own attributes hides nothing", async () => {
  using stage = openGitStage({ files: base });
  const { room, facts } = await stage.open();
  stage.write(room, { ".gitattributes": "src/** linguist-generated -diff\n", "src/gen.ts": lines(77) });
  expect(await facts()).toMatchObject({ added_lines: 78 });
});

test("[E13] 104: attributes that base itself carries hide nothing either", async () => {
  using stage = openGitStage({ files: { ...base, ".gitattributes": "*.ts -diff\n*.lock binary\n" } });
  const { room, facts } = await stage.open();
  stage.write(room, { "src/a.ts": lines(9), "x.lock": lines(11) });
  expect(await facts()).toMatchObject({ added_lines: 20, deleted_lines: 3 });
});

test("[E13] 108: a clean filter of the agent's repository never runs, and what is captured is what lies there", async () => {
  using stage = openGitStage({ files: base });
  const { mirror, room, facts } = await stage.open();
  const mark = path.join(stage.root, "ran");
  stage.run(room, "init", "-q");
  stage.run(room, "config", "filter.x.clean", `touch ${mark}; echo innocent`);
  stage.write(room, { ".gitattributes": "*.ts filter=x\n", "src/a.ts": "evil\n" });
  const found = await facts();
  expect(Buffer.from((await mirror.readFile(found.tree, "src/a.ts")) ?? []).toString()).toBe("evil\n");
  expect(existsSync(mark)).toBe(false);
});

test.each(["--skip-worktree", "--assume-unchanged"])(
  "[E13] 108, 109: %s in the agent's index hides no edit",
  async (flag) => {
    using stage = openGitStage({ files: base });
    const { room, facts } = await stage.open();
    stage.run(room, "init", "-q");
    stage.run(room, "add", "-A");
    stage.run(room, "update-index", flag, "src/a.ts");
    stage.write(room, { "src/a.ts": "evil\n" });
    expect(changedPaths(await facts())).toEqual(["src/a.ts"]);
  },
);

test("[E13] 109: a sparse checkout in the agent's repository hides no deletion", async () => {
  using stage = openGitStage({ files: base });
  const { room, facts } = await stage.open();
  stage.run(room, "init", "-q");
  stage.run(room, "config", "core.sparseCheckout", "true");
  stage.write(room, { "src/b.ts": null });
  expect(changedPaths(await facts())).toEqual(["src/b.ts"]);
});

test("[E13] a tracked file that the change ignores is still captured", async () => {
  using stage = openGitStage({ files: { ...base, "secret.ts": "s\n" } });
  const { room, facts } = await stage.open();
  stage.write(room, { "secret.ts": "changed\n", ".gitignore": "*\n" });
  expect(changedPaths(await facts())).toEqual([".gitignore", "secret.ts"]);
});

test("[E13] an ignored new file is neither tested nor published, and its directory is not walked", async () => {
  using stage = openGitStage({ files: base });
  const { room, facts } = await stage.open();
  stage.write(room, {
    "node_modules/x/index.js": "1",
    "node_modules/x/.git/HEAD": "x",
    "src/a.log": "l",
    "secret.ts": "s",
  });
  const found = await facts();
  expect(found.entries).toEqual([]);
  expect(found).toMatchObject({ tree: found.base_tree, hazards: [] });
  expect(found.captured.ignored).toBe(3);
});

test("[E13] a tracked file that became an ignored directory brings nothing in", async () => {
  using stage = openGitStage({ files: { ...base, "out.log": "l\n" } });
  const { room, facts } = await stage.open();
  stage.write(room, { "out.log": null, "out.log/new.ts": "n\n" });
  expect((await facts()).entries).toMatchObject([{ path: "out.log", status: "deleted" }]);
});

test("[E13] what base tracks inside an ignored directory is captured, and nothing else there", async () => {
  using stage = openGitStage({ files: { ...base, "node_modules/own/index.js": "1\n" } });
  const { room, facts } = await stage.open();
  stage.write(room, {
    "node_modules/own/index.js": "2\n",
    "node_modules/own/new.js": "n\n",
    "node_modules/other/x.js": "x\n",
  });
  stage.write(room, { "node_modules/own/.gitignore": "!*\n" });
  expect(changedPaths(await facts())).toEqual(["node_modules/own/index.js"]);
});

test("[E13] the agent's info/exclude and global ignore file count for nothing", async () => {
  using stage = openGitStage({ files: base });
  const { room, facts } = await stage.open();
  stage.run(room, "init", "-q");
  stage.write(room, { ".git/info/exclude": "*\n", "src/new.ts": "n\n" });
  expect(changedPaths(await facts())).toEqual(["src/new.ts"]);
});

test("[E13] 111: commits that the agent made hide nothing: the recorded base decides", async () => {
  using stage = openGitStage({ files: base });
  const { room, facts } = await stage.open();
  stage.run(room, "init", "-q");
  stage.write(room, { "src/big.ts": lines(503) });
  stage.run(room, "add", "-A");
  stage.run(room, "commit", "-q", "-m", "mine");
  expect(await facts()).toMatchObject({ added_lines: 503 });
});

test("[E13] 113: a submodule in the tree is a hazard, whatever `ignoreSubmodules` says", async () => {
  using stage = openGitStage({ files: base });
  const id = stage.commit({});
  stage.run(stage.repository, "update-index", "--add", "--cacheinfo", `160000,${id},vendor`);
  stage.run(stage.repository, "commit", "-q", "-m", "sub");
  stage.run(stage.repository, "config", "diff.ignoreSubmodules", "all");
  const { mirror } = await stage.git.openMirror(stage.repository);
  const [old, head] = [await mirror.resolve(id), await mirror.resolve("main")];
  const found = await mirror.changeFacts(old, { tree: head.tree, ignored: 0, hazards: [], undetermined: [] }, [
    { path: "vendor", text: "x" },
  ]);
  expect(dangers(found)).toEqual(["submodule vendor"]);
  expect(found.contents[0]).toMatchObject({ kind: "submodule", found: false });
});

test("[E13] 113: a submodule of base whose directory holds something is undetermined, an empty one unchanged", async () => {
  using stage = openGitStage({ files: base });
  const id = stage.commit({});
  stage.run(stage.repository, "update-index", "--add", "--cacheinfo", `160000,${id},vendor`);
  stage.run(stage.repository, "commit", "-q", "-m", "sub");
  const { room, facts } = await stage.open();
  expect(await facts()).toMatchObject({ entries: [], undetermined: [] });
  stage.write(room, { "vendor/x": "1" });
  expect(await facts()).toMatchObject({ entries: [], undetermined: [{ code: "submodule", subject: "vendor" }] });
  rmSync(path.join(room, "vendor"), { recursive: true });
  expect(dangers(await facts())).toEqual(["submodule vendor"]);
});

test("[E13] 114: a repository inside the tree is a hazard and hides no file beside it", async () => {
  using stage = openGitStage({ files: base });
  const { room, facts } = await stage.open();
  mkdirSync(path.join(room, "lib"));
  stage.run(path.join(room, "lib"), "init", "-q");
  stage.write(room, { "lib/hidden.ts": "h\n" });
  const found = await facts();
  expect(changedPaths(found)).toEqual(["lib/hidden.ts"]);
  expect(dangers(found)).toEqual(["nested-repository lib/.git"]);
});

test("[E13] 114: a gitfile inside the tree is a hazard too", async () => {
  using stage = openGitStage({ files: base });
  const { room, facts } = await stage.open();
  stage.write(room, { "lib/.git": "gitdir: /etc\n" });
  expect(dangers(await facts())).toEqual(["nested-repository lib/.git"]);
});

test("[E4] 115: a source file that became a symlink out is a hazard and is never read through", async () => {
  using stage = openGitStage({ files: base });
  const { room, facts } = await stage.open();
  writeFileSync(path.join(stage.root, "host.txt"), "host secret");
  rmSync(path.join(room, "src/a.ts"));
  symlinkSync("../../host.txt", path.join(room, "src/a.ts"));
  const found = await facts([{ path: "src/a.ts", text: "host secret" }]);
  expect(dangers(found)).toEqual(["symlink-outside src/a.ts"]);
  expect(found.contents).toEqual([{ path: "src/a.ts", text: "host secret", kind: "symlink", found: false }]);
  expect(found.entries[0]).toMatchObject({
    status: "type-changed",
    new_mode: "120000",
    added_lines: 1,
    deleted_lines: 3,
  });
});

test("[E4] 115: a symlink into an ignored directory answers no content question", async () => {
  using stage = openGitStage({ files: base });
  const { mirror, room, facts } = await stage.open();
  stage.write(room, { "node_modules/real.ts": "wanted\n" });
  rmSync(path.join(room, "src/a.ts"));
  symlinkSync("../node_modules/real.ts", path.join(room, "src/a.ts"));
  const found = await facts([{ path: "src/a.ts", text: "wanted" }]);
  expect(found.contents[0]).toMatchObject({ kind: "symlink", found: false });
  expect(await mirror.readFile(found.tree, "src/a.ts")).toBeNull();
});

test("[E4] a directory that became a symlink is not walked through", async () => {
  using stage = openGitStage({ files: base });
  const { room, facts } = await stage.open();
  const outside = path.join(stage.root, "outside");
  mkdirSync(outside);
  writeFileSync(path.join(outside, "a.ts"), "host\n");
  rmSync(path.join(room, "src"), { recursive: true });
  symlinkSync(outside, path.join(room, "src"));
  const found = await facts();
  expect(found.entries.map((entry) => [entry.path, entry.status])).toEqual([
    ["src", "added"],
    ["src/a.ts", "deleted"],
    ["src/b.ts", "deleted"],
  ]);
  expect(dangers(found)).toEqual(["symlink-outside src"]);
});

test("[E13] 118: a bit that makes a file executable is a changed path, by mode", async () => {
  using stage = openGitStage({ files: base });
  const { room, facts } = await stage.open();
  stage.run(room, "init", "-q");
  stage.run(room, "config", "core.fileMode", "false");
  chmodSync(path.join(room, "src/a.ts"), 0o755);
  const found = await facts();
  expect(found.entries).toMatchObject([{ path: "src/a.ts", old_mode: "100644", new_mode: "100755", added_lines: 0 }]);
  expect(dangers(found)).toEqual(["mode-changed src/a.ts"]);
});

test("[E13] a text file with a binary's name counts in lines", async () => {
  using stage = openGitStage({ files: base });
  const { room, facts } = await stage.open();
  stage.write(room, { "logo.png": lines(50) });
  expect(await facts()).toMatchObject({ added_lines: 50, entries: [{ true_binary: false }] });
});

test("[E13] a rename is a deletion and a creation, with all its lines", async () => {
  using stage = openGitStage({ files: base });
  const { room, facts } = await stage.open();
  stage.write(room, { "src/a.ts": null, "src/c.ts": "one\ntwo\nthree\n" });
  expect(await facts()).toMatchObject({
    added_lines: 3,
    deleted_lines: 3,
    entries: [{ path: "src/a.ts" }, { path: "src/c.ts" }],
  });
});

test("[E13] names that are not UTF-8, with newline, tab, quote or glob characters are each their own path", async () => {
  using stage = openGitStage({ files: base });
  const { room, facts } = await stage.open();
  stage.write(room, {
    "latin1:bad\xff.ts": "1\n",
    "new\nline.ts": "1\n",
    "tab\t.ts": "1\n",
    'quote".ts': "1\n",
    "[a-z]*.ts": "1\n",
    ":(top)x": "1\n",
    "-rf": "1\n",
  });
  const found = await facts();
  expect(found).toMatchObject({ added_lines: 7 });
  expect(changedPaths(found)).toEqual([
    "-rf",
    ":(top)x",
    "[a-z]*.ts",
    "bad\\xff.ts",
    "new\nline.ts",
    'quote".ts',
    "tab\t.ts",
  ]);
  expect(dangers(found)).toEqual([
    "invalid-utf8 bad\\xff.ts",
    "control-character new\nline.ts",
    "control-character tab\t.ts",
  ]);
});

test("names of base that are not UTF-8 are nobody's fault while they stay as they are", async () => {
  using stage = openGitStage({ files: { ...base, "latin1:bad\xff.ts": "1\n" } });
  const { room, facts } = await stage.open();
  stage.write(room, { "src/a.ts": "x\n" });
  const found = await facts();
  expect([changedPaths(found), dangers(found)]).toEqual([["src/a.ts"], []]);
});

test("[E13] .git-like names, collisions, fifos and sockets are hazards", async () => {
  using stage = openGitStage({ files: base });
  const { room, facts } = await stage.open();
  stage.write(room, { ".GIT/config": "x", "git~1/x": "x", "SRC/z.ts": "z\n" });
  execFileSync("mkfifo", [path.join(room, "pipe")]);
  const found = await facts();
  expect(dangers(found)).toEqual([
    "git-like-name .GIT/config",
    "name-collision SRC",
    "git-like-name git~1/x",
    "device-or-socket pipe",
  ]);
});

test("[E13] a fifo in the place of a tracked file is a hazard and blocks no reading", async () => {
  using stage = openGitStage({ files: base });
  const { room, facts } = await stage.open();
  rmSync(path.join(room, "src/a.ts"));
  execFileSync("mkfifo", [path.join(room, "src/a.ts")]);
  const found = await facts();
  expect([changedPaths(found), dangers(found)]).toEqual([["src/a.ts"], ["device-or-socket src/a.ts"]]);
});

test("a hard link is only a file with these bytes", async () => {
  using stage = openGitStage({ files: base });
  const { room, facts } = await stage.open();
  linkSync(path.join(room, "src/a.ts"), path.join(room, "src/link.ts"));
  expect(lstatSync(path.join(room, "src/link.ts")).nlink).toBe(2);
  expect(await facts()).toMatchObject({ entries: [{ path: "src/link.ts", added_lines: 3 }] });
});
