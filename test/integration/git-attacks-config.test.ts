import { execFileSync } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { changedPaths, openGitStage } from "./git-stage.ts";

// The git attacks of the catalogue that work through configuration, hooks and environment, by their numbers.
const base = { "src/a.ts": "one\ntwo\nthree\n", "src/b.ts": "b\n", ".gitignore": "node_modules/\n*.log\n/secret.ts\n" };

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
  await expect(stage.git.openMirror(stage.repository)).rejects.toMatchObject({ code: "repository-invalid" });
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
