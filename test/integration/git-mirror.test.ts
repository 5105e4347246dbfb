import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { openGitStage } from "./git-stage.ts";

const base = { "src/a.ts": "one\n", "src/b.ts": "b\n" };

test("branches, tags, HEAD and full ids resolve; what is not there does not", async () => {
  using stage = openGitStage({ files: base });
  const first = stage.commit({});
  stage.run(stage.repository, "tag", "light");
  stage.run(stage.repository, "tag", "-a", "-m", "t", "v1");
  stage.run(stage.repository, "checkout", "-q", "-b", "topic/one");
  const second = stage.commit({ "src/c.ts": "c\n" });
  const { mirror, head } = await stage.git.openMirror(stage.repository);
  expect(head).toBe("topic/one");
  const named = async (revision: string) => (await mirror.resolve(revision)).commit;
  for (const name of ["main", "refs/heads/main", "light", "v1", "refs/tags/v1", first])
    expect(await named(name)).toBe(first);
  for (const name of ["HEAD~1", "topic/one^", second.slice(0, 7) + "~", first.slice(0, 12)])
    expect(await named(name)).toBe(first);
  for (const name of ["HEAD", "topic/one", second]) expect(await named(name)).toBe(second);
  for (const name of [
    "nope",
    "HEAD~9",
    "HEAD^2",
    "HEAD@{1}",
    ":/base",
    "--all",
    "-",
    "",
    "main^{tree}",
    "0".repeat(40),
    (await mirror.resolve("main")).tree,
  ])
    await expect(mirror.resolve(name)).rejects.toMatchObject({ code: "base-not-found" });
  expect(await mirror.mergeBase(first, second)).toBe(first);
});

test("a second opening sees new commits, moved branches and a file that became a directory", async () => {
  using stage = openGitStage({ files: base });
  stage.run(stage.repository, "branch", "a");
  await stage.git.openMirror(stage.repository);
  stage.run(stage.repository, "branch", "-D", "a");
  stage.run(stage.repository, "branch", "a/b");
  const id = stage.commit({ "src/a.ts": "2\n" });
  const { mirror } = await stage.git.openMirror(stage.repository);
  expect((await mirror.resolve("HEAD")).commit).toBe(id);
  expect((await mirror.resolve("a/b")).commit).not.toBe(id);
  await expect(mirror.resolve("a")).rejects.toMatchObject({ code: "base-not-found" });
  expect((await stage.git.findMirror(stage.repository))?.path).toBe(mirror.path);
  expect(await stage.git.findMirror(path.join(stage.root, "other"))).toBeNull();
});

test("a detached HEAD and a commit that no branch holds can be had", async () => {
  using stage = openGitStage({ files: base });
  const lost = stage.commit({ "src/x.ts": "x\n" });
  stage.run(stage.repository, "reset", "-q", "--hard", "HEAD~1");
  stage.run(stage.repository, "checkout", "-q", "--detach");
  const here = stage.run(stage.repository, "rev-parse", "HEAD").trim();
  const { mirror, head } = await stage.git.openMirror(stage.repository, { also: [lost] });
  expect(head).toBe(here);
  expect((await mirror.resolve(lost)).commit).toBe(lost);
});

test.each([
  [
    "an empty repository",
    "repository-empty",
    (root: string) => execFileSync("git", ["init", "-q", path.join(root, "x")]),
  ],
  ["no directory", "repository-unreachable", () => undefined],
  ["a directory that is no repository", "repository-unreachable", (root: string) => mkdirSync(path.join(root, "x"))],
])("%s is %s", async (_, code, prepare) => {
  using stage = openGitStage();
  prepare(stage.root);
  await expect(stage.git.openMirror(path.join(stage.root, "x"))).rejects.toMatchObject({ code });
});

test("a shallow clone is refused, and its work tree says that it is shallow", async () => {
  using stage = openGitStage({ files: base });
  stage.commit({ "src/a.ts": "2\n" });
  stage.run(stage.root, "clone", "-q", "--depth=1", `file://${stage.repository}`, "x");
  await expect(stage.git.openMirror(path.join(stage.root, "x"))).rejects.toMatchObject({ code: "repository-shallow" });
  expect(await stage.git.findWorkTree(path.join(stage.root, "x"))).toMatchObject({ shallow: true });
});

test.each([
  "ext::sh -c id",
  "-oProxyCommand=id",
  "ftp://example.invalid/x",
  "git://example.invalid/x",
  "http://example.invalid/x",
  "a\nb",
])("[E13] 124: the address %j is refused before any program sees it", async (address) => {
  using stage = openGitStage({ files: base });
  const { mirror } = await stage.open();
  await expect(stage.git.openMirror(address)).rejects.toMatchObject({ code: "repository-unreachable" });
  await expect(mirror.listRemote(address, "refs/")).rejects.toMatchObject({ code: "repository-unreachable" });
});

test("objects that fsck refuses are not fetched", async () => {
  using stage = openGitStage({ files: base });
  const blob = stage.run(stage.repository, "rev-parse", "HEAD:src/a.ts").trim();
  const tree = execFileSync("git", ["hash-object", "-t", "tree", "-w", "--stdin", "--literally"], {
    cwd: stage.repository,
    input: Buffer.concat([Buffer.from("100644 .git\0"), Buffer.from(blob, "hex")]),
    encoding: "utf8",
  }).trim();
  const commit = stage.run(stage.repository, "commit-tree", "-m", "x", tree).trim();
  stage.run(stage.repository, "update-ref", "refs/heads/main", commit);
  await expect(stage.git.openMirror(stage.repository)).rejects.toMatchObject({ code: "repository-invalid" });
});

test("a damaged mirror is said to be damaged", async () => {
  using stage = openGitStage({ files: base });
  const { mirror } = await stage.open();
  writeFileSync(path.join(mirror.path, "info/attributes"), "");
  await expect(stage.git.openMirror(stage.repository)).rejects.toMatchObject({ code: "mirror-broken" });
});

test("four openings at once of one repository make one whole mirror", async () => {
  using stage = openGitStage({ files: base });
  const all = await Promise.all([1, 2, 3, 4].map(() => stage.git.openMirror(stage.repository)));
  expect(new Set(all.map(({ mirror }) => mirror.path)).size).toBe(1);
  expect(readdirSync(path.join(stage.cache, "mirrors")).filter((name) => !name.endsWith(".git"))).toEqual([]);
});

test("a lock whose holder died, or whose pid is another process now, is broken", async () => {
  using stage = openGitStage({ files: base });
  const { mirror } = await stage.open();
  const lock = mirror.path.replace(/\.git$/u, ".lock");
  const child = spawn("true");
  await once(child, "exit");
  for (const text of [`${child.pid} 1 x\n`, `${process.pid} 1 x\n`, "", "garbage"]) {
    writeFileSync(lock, text);
    await stage.git.openMirror(stage.repository);
    expect(existsSync(lock)).toBe(false);
  }
});

test("waiting for a lock ends when the caller aborts", async () => {
  using stage = openGitStage({ files: base });
  const { mirror } = await stage.open();
  const lock = mirror.path.replace(/\.git$/u, ".lock");
  const started = readFileSync(`/proc/${process.pid}/stat`, "utf8").split(") ")[1]?.split(" ")[19];
  writeFileSync(lock, `${process.pid} ${started} held\n`);
  const opening = stage.git.openMirror(stage.repository, { signal: AbortSignal.timeout(200) });
  await expect(opening).rejects.toMatchObject({ code: "interrupted" });
  expect(existsSync(lock)).toBe(true);
});

test("a program that is no git, or an old one, is said to be that", async () => {
  using stage = openGitStage({ files: base });
  const { createGitCli } = await import("../../src/adapters/git/cli/index.ts");
  const make = (program: string) => createGitCli({ cacheDirectory: stage.cache, program });
  await expect(make("/nonexistent/git").version()).rejects.toMatchObject({ code: "git-missing" });
  const old = path.join(stage.root, "old-git");
  writeFileSync(old, "#!/bin/sh\necho git version 2.33.9\n", { mode: 0o755 });
  await expect(make(old).version()).rejects.toMatchObject({ code: "git-too-old" });
});

test("a work tree is found from below, from a linked work tree, and not outside", async () => {
  using stage = openGitStage({ files: base });
  const id = stage.commit({});
  stage.run(stage.repository, "pack-refs", "--all");
  stage.run(stage.repository, "worktree", "add", "-q", "-b", "side", "../linked");
  const root = realpathSync(stage.repository);
  expect(await stage.git.findWorkTree(path.join(stage.repository, "src"))).toEqual({
    root,
    gitDirectory: path.join(root, ".git"),
    shallow: false,
    head: { ref: "refs/heads/main", id },
    crlf: false,
    sparse: false,
  });
  const linked = path.join(realpathSync(stage.root), "linked");
  expect(await stage.git.findWorkTree(linked)).toMatchObject({ root: linked, head: { ref: "refs/heads/side", id } });
  expect((await stage.git.openMirror(linked)).head).toBe("side");
  expect(await stage.git.findWorkTree(stage.cache)).toBeNull();
  expect(await stage.git.findWorkTree(path.join(stage.repository, ".git"))).toBeNull();
});

test("--staged: the index is captured, not the work tree", async () => {
  using stage = openGitStage({ files: base });
  const { mirror, base: from } = await stage.open();
  stage.write(stage.repository, { "src/a.ts": "staged\n", "src/new.ts": "n\n" });
  stage.run(stage.repository, "add", "-A");
  stage.write(stage.repository, { "src/a.ts": "not staged\n" });
  const captured = await mirror.captureIndex(stage.repository, from);
  expect(captured.tree).toBe(stage.run(stage.repository, "write-tree").trim());
  expect(Buffer.from((await mirror.readFile(captured.tree, "src/a.ts")) ?? []).toString()).toBe("staged\n");
});

test("--staged: an intent-to-add entry and a conflict are errors, a split index is read", async () => {
  using stage = openGitStage({ files: base });
  const { mirror, base: from } = await stage.open();
  stage.write(stage.repository, { "src/new.ts": "n\n" });
  stage.run(stage.repository, "add", "-N", "src/new.ts");
  await expect(mirror.captureIndex(stage.repository, from)).rejects.toMatchObject({
    code: "index-unmerged",
    subject: "src/new.ts",
  });
  stage.run(stage.repository, "add", "src/new.ts");
  stage.run(stage.repository, "update-index", "--split-index");
  stage.write(stage.repository, { "src/b.ts": "bb\n" });
  stage.run(stage.repository, "add", "src/b.ts");
  expect((await mirror.captureIndex(stage.repository, from)).tree).toBe(
    stage.run(stage.repository, "write-tree").trim(),
  );
  const ids = [1, 2, 3].map(
    (stageNumber) =>
      `100644 ${stage.run(stage.repository, "rev-parse", "HEAD:src/a.ts").trim()} ${stageNumber}\tsrc/a.ts`,
  );
  execFileSync("git", ["update-index", "--index-info"], {
    cwd: stage.repository,
    input: `0 ${"0".repeat(40)}\tsrc/a.ts\n${ids.join("\n")}\n`,
  });
  await expect(mirror.captureIndex(stage.repository, from)).rejects.toMatchObject({
    code: "index-unmerged",
    subject: "src/a.ts",
  });
});

test("[E13] --staged: cached trees that an index lies about are not believed", async () => {
  using stage = openGitStage({ files: base });
  const { mirror, base: from } = await stage.open();
  stage.write(stage.repository, { "src/a.ts": "evil\n" });
  stage.run(stage.repository, "add", "-A");
  const honest = stage.run(stage.repository, "write-tree").trim();
  // The cache-tree extension now names the honest trees; put base's ids in their place.
  const index = path.join(stage.repository, ".git/index");
  const bytes = readFileSync(index);
  const swap = (text: string, by: string): void => {
    const at = bytes.indexOf(Buffer.from(text, "hex"));
    if (at >= 0) Buffer.from(by, "hex").copy(bytes, at);
  };
  swap(honest, from.tree);
  const body = bytes.subarray(0, -20);
  const { createHash } = await import("node:crypto");
  writeFileSync(index, Buffer.concat([body, createHash("sha1").update(body).digest()]));
  expect(stage.run(stage.repository, "write-tree").trim()).toBe(from.tree);
  expect((await mirror.captureIndex(stage.repository, from)).tree).toBe(honest);
});

test("paths are put back from another tree, also where a directory or file took their place", async () => {
  using stage = openGitStage({ files: { ...base, "cfg/x.json": "{}\n" } });
  const { mirror, base: from, room, facts } = await stage.open();
  stage.write(room, { "cfg/x.json": null, "src/a.ts": "changed\n", "src/evil.ts": "e\n" });
  rmSync(path.join(room, "cfg"), { recursive: true });
  stage.write(room, { cfg: "a file now\n" });
  const { tree } = await facts();
  const back = await mirror.restorePaths(tree, from.tree, ["cfg/x.json", "src/evil.ts"]);
  expect((await mirror.listTree(back)).map((entry) => entry.path)).toEqual(["cfg/x.json", "src/a.ts", "src/b.ts"]);
  expect(await mirror.restorePaths(tree, from.tree, ["cfg", "cfg/x.json", "src/evil.ts", "src/a.ts"])).toBe(from.tree);
});

test("a delta over base's checkout shows exactly the tree, through a real overlay", async () => {
  using stage = openGitStage({
    files: { ...base, "gone/x/y.ts": "y\n", "gone/z.ts": "z\n", "dir/f": "f\n", file: "f\n", "tool.sh": "#!/bin/sh\n" },
  });
  const { mirror, base: from, room, facts } = await stage.open();
  const lower = path.join(stage.root, "lower");
  await mirror.materialize(from.tree, lower);
  rmSync(path.join(room, "gone"), { recursive: true });
  rmSync(path.join(room, "dir"), { recursive: true });
  stage.write(room, { "src/b.ts": null, dir: "now a file\n", file: null, "file/inner/x": "x\n", "src/a.ts": "2\n" });
  symlinkSync("a.ts", path.join(room, "src/link"));
  const { tree } = await facts();
  const delta = path.join(stage.root, "delta");
  await mirror.materializeDelta(from.tree, tree, delta);
  const merged = path.join(stage.root, "merged");
  for (const name of ["merged", "full"]) mkdirSync(path.join(stage.root, name));
  await mirror.materialize(tree, path.join(stage.root, "full"));
  const script = `mount -t overlay -o ro,lowerdir=${delta}:${lower} overlay ${merged} && diff -r --no-dereference ${merged} ${stage.root}/full && cd ${merged} && find . | sort`;
  const inside = execFileSync(
    "unshare",
    ["--mount", ...(process.getuid?.() === 0 ? [] : ["--map-root-user"]), "sh", "-c", script],
    { encoding: "utf8" },
  );
  expect(inside.trim().split("\n")).toEqual([
    ".",
    "./dir",
    "./file",
    "./file/inner",
    "./file/inner/x",
    "./src",
    "./src/a.ts",
    "./src/link",
    "./tool.sh",
  ]);
});

test("a tree is materialised raw: bytes, modes and symlinks", async () => {
  using stage = openGitStage({ files: { "a.bin": Buffer.from([0, 13, 10, 255]), "latin1:b\xff": "x" } });
  symlinkSync("/nowhere", path.join(stage.repository, "l"));
  writeFileSync(path.join(stage.repository, "x.sh"), "#!/bin/sh\n", { mode: 0o755 });
  stage.run(stage.repository, "add", "-A");
  stage.run(stage.repository, "commit", "-q", "-m", "more");
  const { mirror, base: from, room } = await stage.open();
  expect(readFileSync(path.join(room, "a.bin"))).toEqual(Buffer.from([0, 13, 10, 255]));
  expect(readlinkSync(path.join(room, "l"))).toBe("/nowhere");
  expect(statSync(path.join(room, "x.sh")).mode & 0o777).toBe(0o755);
  expect(statSync(path.join(room, "a.bin")).mode & 0o777).toBe(0o644);
  expect((await mirror.captureDirectory(room, from)).tree).toBe(from.tree);
  await expect(mirror.materialize(from.tree, room)).rejects.toMatchObject({ code: "tree-unreadable" });
});
