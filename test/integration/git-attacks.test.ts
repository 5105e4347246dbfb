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

test("120: export-ignore and export-subst leave the materialised tree whole and raw", async () => {
  using stage = openGitStage({
    files: {
      ...base,
      ".gitattributes": "src export-ignore\n*.ts export-subst ident eol=crlf\n",
      "v.ts": "$Format:%H$ $Id$\n",
    },
  });
  const { room } = await stage.open();
  expect(execFileSync("cat", [path.join(room, "v.ts")], { encoding: "utf8" })).toBe("$Format:%H$ $Id$\n");
  expect(existsSync(path.join(room, "src/a.ts"))).toBe(true);
});

test("[E13] 121, 123, 124: nothing that the agent's own configuration names is run or followed", async () => {
  using stage = openGitStage({ files: base });
  const { mirror, base: from, room, facts } = await stage.open();
  const mark = path.join(stage.root, "ran");
  const evil = `touch ${mark}`;
  stage.run(room, "init", "-q");
  for (const key of [
    "core.fsmonitor",
    "core.sshCommand",
    "core.pager",
    "core.editor",
    "gpg.program",
    "diff.external",
    "diff.x.textconv",
    "filter.x.process",
    "uploadpack.packObjectsHook",
    "credential.helper",
  ])
    stage.run(room, "config", key, evil);
  stage.run(room, "config", `url.${stage.root}/evil.git.insteadOf`, stage.root);
  for (const hook of [
    "pre-commit",
    "post-commit",
    "pre-push",
    "post-checkout",
    "post-index-change",
    "reference-transaction",
  ]) {
    writeFileSync(path.join(room, ".git/hooks", hook), `#!/bin/sh\n${evil}\n`, { mode: 0o755 });
  }
  stage.write(room, { ".gitattributes": "* diff=x filter=x\n", "src/a.ts": "changed\n" });
  const found = await facts();
  const commit = await mirror.commit({ tree: found.tree, parent: from.commit, message: "m\n", date: 1_700_000_000 });
  stage.run(stage.root, "init", "-q", "--bare", "remote.git");
  expect(await mirror.pushNew(path.join(stage.root, "remote.git"), "trueup/x", commit)).toEqual({ outcome: "created" });
  expect(existsSync(mark)).toBe(false);
  expect(await mirror.readCommit(commit)).toMatchObject({ tree: found.tree });
});

test("[E13] 121: a source repository's own configuration and hooks run no code when it is mirrored", async () => {
  using stage = openGitStage({ files: base });
  const mark = path.join(stage.root, "ran");
  for (const key of [
    "core.fsmonitor",
    "core.sshCommand",
    "uploadpack.packObjectsHook",
    "core.alternateRefsCommand",
    "remote.origin.uploadpack",
    "core.gitProxy",
  ])
    stage.run(stage.repository, "config", key, `touch ${mark}`);
  stage.run(stage.repository, "config", "include.path", path.join(stage.root, "more"));
  stage.run(stage.repository, "config", "extensions.partialClone", "origin");
  stage.run(stage.repository, "config", "remote.origin.url", `ext::sh -c "touch ${mark}"`);
  stage.run(stage.repository, "config", "remote.origin.promisor", "true");
  writeFileSync(path.join(stage.root, "more"), `[core]\n\tfsmonitor = touch ${mark}\n`);
  for (const hook of ["post-checkout", "reference-transaction", "pre-auto-gc"])
    writeFileSync(path.join(stage.repository, ".git/hooks", hook), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
  const { mirror } = await stage.git.openMirror(stage.repository);
  await mirror.captureIndex(stage.repository, await mirror.resolve("HEAD"));
  await mirror.listRemote(stage.repository, "refs/");
  await mirror.fetchRef(stage.repository, "refs/heads/main");
  expect(existsSync(mark)).toBe(false);
});

test("[E13] 121: an object that a promisor remote would have to send is an error, not a fetch", async () => {
  using stage = openGitStage({ files: base });
  const blob = stage.run(stage.repository, "rev-parse", "HEAD:src/a.ts").trim();
  rmSync(path.join(stage.repository, ".git/objects", blob.slice(0, 2), blob.slice(2)), { force: true });
  const mark = path.join(stage.root, "ran");
  stage.run(stage.repository, "config", "remote.origin.url", stage.root);
  stage.run(stage.repository, "config", "remote.origin.uploadpack", `touch ${mark};`);
  stage.run(stage.repository, "config", "remote.origin.promisor", "true");
  await expect(stage.git.openMirror(stage.repository)).rejects.toMatchObject({ code: "repository-unreachable" });
  expect(existsSync(mark)).toBe(false);
});

test("[E13] 122: textconv and external diff leave the exact patch whole", async () => {
  using stage = openGitStage({ files: { ...base, ".gitattributes": "*.ts diff=lie\n" } });
  stage.run(stage.repository, "config", "diff.lie.textconv", "true");
  const { mirror, base: from, room, facts } = await stage.open();
  stage.write(room, { "src/a.ts": "one\nTWO\nthree\n" });
  const found = await facts();
  expect(Buffer.from(await mirror.patch(from.tree, found.tree)).toString()).toContain("-two\n+TWO\n");
});

test("[E13] 126: GIT_* variables of the caller reach no git process", async () => {
  using stage = openGitStage({ files: base });
  const saved = { ...process.env };
  try {
    Object.assign(process.env, {
      GIT_DIR: "/nonexistent",
      GIT_INDEX_FILE: "/nonexistent",
      GIT_EXTERNAL_DIFF: "true",
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.bare",
      GIT_CONFIG_VALUE_0: "maybe",
    });
    const { room, facts } = await stage.open();
    stage.write(room, { "src/a.ts": "x\n" });
    expect(changedPaths(await facts())).toEqual(["src/a.ts"]);
  } finally {
    for (const key of Object.keys(process.env)) if (!(key in saved)) delete process.env[key];
  }
});

test("[G6] 127: diff settings of the repository move neither digest nor branch name", async () => {
  using stage = openGitStage({ files: base });
  const first = await stage.open();
  stage.write(first.room, { "src/a.ts": "one\n2\nthree\n" });
  const before = await first.facts();
  for (const [key, value] of [
    ["diff.noprefix", "true"],
    ["diff.mnemonicPrefix", "true"],
    ["diff.context", "0"],
    ["color.ui", "always"],
    ["diff.algorithm", "patience"],
    ["core.abbrev", "4"],
  ] as const)
    stage.run(first.mirror.path, "config", key, value);
  const after = await first.facts();
  expect(after).toMatchObject({
    change_digest: before.change_digest,
    same_edit_key: before.same_edit_key,
    patch_digest: before.patch_digest,
  });
});

test("[G6] 128: two different binaries are two different changes", async () => {
  using stage = openGitStage({ files: base });
  const png = (tail: string): Buffer => Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.from(tail)]);
  const digests = [];
  for (const tail of ["one", "two"]) {
    const { room, facts } = await stage.open();
    stage.write(room, { "logo.png": png(tail) });
    const found = await facts();
    expect(found).toMatchObject({ added_lines: 0, changed_bytes: 11, entries: [{ true_binary: true }] });
    digests.push(found.change_digest, found.same_edit_key);
  }
  expect(new Set(digests).size).toBe(4);
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
