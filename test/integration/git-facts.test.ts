import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isIgnored, parseIgnoreFile } from "../../src/core/change/index.ts";
import { changedPaths, openGitStage } from "./git-stage.ts";

const base = { "src/a.ts": "one\ntwo\nthree\n", "src/b.ts": "b\n" };
const numbered = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => `line ${from + index}\n`).join("");

test("[H11] a change of two files has its two paths and six lines, through real git", async () => {
  using stage = openGitStage({ files: base });
  const { room, facts } = await stage.open();
  stage.write(room, { "src/a.ts": "one\n2\nthree\nfour\nfive\nsix\n", "src/new.ts": "n\nm\n" });
  const found = await facts([
    { path: "src/a.ts", text: "two" },
    { path: "src/new.ts", text: "n\nm" },
    { path: "src/none.ts", text: "x" },
  ]);
  expect(changedPaths(found)).toEqual(["src/a.ts", "src/new.ts"]);
  expect(found).toMatchObject({ added_lines: 6, deleted_lines: 1 });
  expect(found.contents.map(({ kind, found: has }) => [kind, has])).toEqual([
    ["file", false],
    ["file", true],
    ["missing", false],
  ]);
});

test("[E2] the facts are those of plain git on the same bytes", async () => {
  using stage = openGitStage({ files: base });
  const { room, facts } = await stage.open();
  stage.write(room, { "src/a.ts": "one\n", "src/b.ts": null, "deep/er/c.ts": "c\nd\n" });
  const found = await facts();
  stage.write(stage.repository, { "src/a.ts": "one\n", "src/b.ts": null, "deep/er/c.ts": "c\nd\n" });
  stage.run(stage.repository, "add", "-A");
  expect(stage.run(stage.repository, "write-tree").trim()).toBe(found.tree);
  const numstat = found.entries
    .map((entry) => `${entry.added_lines}\t${entry.deleted_lines}\t${entry.path}\n`)
    .join("");
  expect(stage.run(stage.repository, "diff", "--cached", "--numstat", "--no-renames")).toBe(numstat);
});

test("[G2] two attempts at the same edit on a moved base: same key, and same digest while the lines stand still", async () => {
  using stage = openGitStage({ files: { "a.txt": numbered(0, 60), "b.txt": "b\n" } });
  const edit = (text: string): string => text.replace("line 40\n", "line forty\n");
  const attempt = async () => {
    const { room, facts } = await stage.open();
    const file = path.join(room, "a.txt");
    writeFileSync(file, edit(readFileSync(file, "utf8")));
    return facts();
  };
  const first = await attempt();
  stage.commit({ "b.txt": "other\n" });
  const second = await attempt();
  expect(second).toMatchObject({ change_digest: first.change_digest, same_edit_key: first.same_edit_key });
  expect(second.base_tree).not.toBe(first.base_tree);
  stage.commit({ "a.txt": `prologue\n${numbered(0, 60)}` });
  const third = await attempt();
  expect(third.same_edit_key).toBe(first.same_edit_key);
  expect(third.change_digest).not.toBe(first.change_digest);
});

test("[G6] golden vector through real git: text, binary, mode, symlink, deletion and no newline at the end", async () => {
  using stage = openGitStage({ files: { ...base, "run.sh": "#!/bin/sh\n", "gone.txt": "x\n" } });
  const { room, facts } = await stage.open();
  stage.write(room, {
    "src/a.ts": "one\nTWO\nthree",
    "gone.txt": null,
    "logo.png": Buffer.from("89504e470d0a1a0a00", "hex"),
  });
  chmodSync(path.join(room, "run.sh"), 0o755);
  symlinkSync("a.ts", path.join(room, "src/link"));
  const { change_digest, same_edit_key } = await facts();
  expect({ change_digest, same_edit_key }).toMatchInlineSnapshot(`
    {
      "change_digest": "sha256:117142ea89adf478c01d752026bae79589bd825636a43c5c62939f3eb89002a0",
      "same_edit_key": "sha256:46009f5101c2d5b87d765523444bc044a80eb617630fbe6540b25b1d4eae57a9",
    }
  `);
});

test("a SHA-256 repository has the same facts with longer ids", async () => {
  using stage = openGitStage({ files: base, objectFormat: "sha256" });
  const { mirror, base: from, room, facts } = await stage.open();
  stage.write(room, { "src/a.ts": "one\n2\nthree\n" });
  const found = await facts();
  expect(found).toMatchObject({ object_format: "sha256", added_lines: 1, deleted_lines: 1 });
  expect(found.tree).toHaveLength(64);
  const commit = await mirror.commit({ tree: found.tree, parent: from.commit, message: "m\n", date: 1 });
  stage.run(stage.root, "init", "-q", "--bare", "--object-format=sha256", "remote.git");
  expect(await mirror.pushNew(path.join(stage.root, "remote.git"), "trueup/x", commit)).toEqual({ outcome: "created" });
});

test("[G2] the change digest of a text does not depend on the kind of ids", async () => {
  const digests = [];
  for (const objectFormat of ["sha1", "sha256"]) {
    using stage = openGitStage({ files: base, objectFormat });
    const { room, facts } = await stage.open();
    stage.write(room, { "src/a.ts": "one\n2\nthree\n" });
    digests.push((await facts()).change_digest);
  }
  expect(digests[0]).toBe(digests[1]);
});

test("a line of 2 MB, 3,000 files and a file of 20 MB are measured as they are", async () => {
  using stage = openGitStage({ files: { ...base, "big.bin": Buffer.alloc(20 * 2 ** 20, "x\n") } });
  const { room, facts } = await stage.open();
  const many = Object.fromEntries(
    Array.from({ length: 3000 }, (_, index) => [`many/${index % 50}/${index}.txt`, `${index}\n`]),
  );
  stage.write(room, { "long.js": `${"x".repeat(2 * 2 ** 20)}\n`, ...many });
  const found = await facts();
  expect(found.entries).toHaveLength(3001);
  expect(found).toMatchObject({ added_lines: 3001, deleted_lines: 0, hazards: [] });
});

test.each(["* text=auto\n", "*.ts text\n", "*.ts eol=crlf\n"])(
  "a CRLF work tree under %j is unchanged, and an edit in it is one line",
  async (attributes) => {
    using stage = openGitStage({ files: { ...base, ".gitattributes": attributes } });
    const { mirror, room, facts } = await stage.open();
    stage.write(room, { "src/a.ts": "one\r\ntwo\r\nthree\r\n", "src/b.ts": "b\r\n" });
    expect(changedPaths(await facts())).toEqual([]);
    stage.write(room, { "src/a.ts": "one\r\n2\r\nthree\r\n" });
    const found = await facts();
    expect(found).toMatchObject({ added_lines: 1, deleted_lines: 1 });
    expect(Buffer.from((await mirror.readFile(found.tree, "src/a.ts")) ?? []).toString()).toBe("one\n2\nthree\n");
  },
);

test("without attributes CRLF is a change, unless the caller says that the work tree is a CRLF one", async () => {
  using stage = openGitStage({ files: base });
  const { mirror, base: from, room, facts } = await stage.open();
  stage.write(room, { "src/a.ts": "one\r\ntwo\r\nthree\r\n" });
  expect(changedPaths(await facts())).toEqual(["src/a.ts"]);
  expect((await mirror.captureDirectory(room, from, { crlf: true })).tree).toBe(from.tree);
});

test("a file that base stores with CRLF stays as it is under text=auto", async () => {
  using stage = openGitStage({ files: { "old.txt": "a\r\nb\r\n" } });
  stage.commit({});
  writeFileSync(path.join(stage.repository, ".gitattributes"), "* text=auto\n");
  stage.run(stage.repository, "add", ".gitattributes");
  stage.run(stage.repository, "commit", "-q", "-m", "attributes");
  const { room, facts } = await stage.open();
  expect((await facts()).entries).toEqual([]);
  stage.write(room, { "old.txt": "a\r\nb\r\nc\r\n" });
  expect(await facts()).toMatchObject({ added_lines: 1, deleted_lines: 0 });
});

test("[E13] attributes that the change brings do not decide how it is stored", async () => {
  using stage = openGitStage({ files: base });
  const { mirror, room, facts } = await stage.open();
  stage.write(room, { ".gitattributes": "* text eol=lf\n", "src/a.ts": "one\r\n" });
  expect(Buffer.from((await mirror.readFile((await facts()).tree, "src/a.ts")) ?? []).toString()).toBe("one\r\n");
});

test("an LFS file that is no pointer, and any other filter, are undetermined", async () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"a".repeat(64)}\nsize 12\n`;
  using stage = openGitStage({
    files: {
      ".gitattributes": "*.psd filter=lfs\n*.enc filter=crypt\n*.u16 working-tree-encoding=UTF-16\n",
      "a.psd": pointer,
      "b.enc": "b\n",
    },
  });
  const { room, facts } = await stage.open();
  expect(await facts()).toMatchObject({ entries: [], undetermined: [] });
  stage.write(room, { "a.psd": "real bytes" });
  expect((await facts()).undetermined).toMatchObject([{ code: "lfs", subject: "a.psd" }]);
  stage.write(room, { "a.psd": pointer.replace("size 12", "size 13"), "b.enc": "c\n", "c.u16": "x" });
  expect((await facts()).undetermined.map((some) => some.code).toSorted()).toEqual(["filter", "working-tree-encoding"]);
});

test("missing paths of a sparse work tree count as base, and that is undetermined", async () => {
  using stage = openGitStage({ files: base });
  const { mirror, base: from, room } = await stage.open();
  stage.write(room, { "src/b.ts": null });
  const captured = await mirror.captureDirectory(room, from, { sparse: true });
  expect(captured).toMatchObject({ tree: from.tree, undetermined: [{ code: "sparse", subject: "src/b.ts" }] });
});

test("an old tree with group-writable modes stays what it is where nothing changed", async () => {
  using stage = openGitStage({ files: base });
  const entry = (mode: string, name: string, revision: string): Buffer =>
    Buffer.concat([
      Buffer.from(`${mode} ${name}\0`),
      Buffer.from(stage.run(stage.repository, "rev-parse", revision).trim(), "hex"),
    ]);
  const hash = (input: Buffer): string =>
    execFileSync("git", ["hash-object", "-t", "tree", "-w", "--stdin", "--literally"], {
      cwd: stage.repository,
      input,
      encoding: "utf8",
    }).trim();
  const old = hash(Buffer.concat([entry("100664", "a.ts", "HEAD:src/a.ts"), entry("100664", "b.ts", "HEAD:src/b.ts")]));
  const root = hash(Buffer.concat([entry("40000", "old", old), entry("100644", "x.ts", "HEAD:src/b.ts")]));
  stage.run(
    stage.repository,
    "update-ref",
    "refs/heads/main",
    stage.run(stage.repository, "commit-tree", "-m", "x", root).trim(),
  );
  const { room, facts } = await stage.open();
  expect(await facts()).toMatchObject({ tree: root, entries: [] });
  stage.write(room, { "x.ts": "2\n" });
  expect(changedPaths(await facts())).toEqual(["x.ts"]);
});

test("a file that changes while it is read is an error, never half of each", async () => {
  using stage = openGitStage({ files: base });
  const { mirror, base: from, room } = await stage.open();
  const file = path.join(room, "grow.txt");
  writeFileSync(file, "x");
  const capture = mirror.captureDirectory(room, from);
  // Whatever the moment: either the whole old file, the whole new one, or the error.
  for (let round = 0; round < 200; round++) {
    writeFileSync(file, `${round}\n`.repeat(round + 1));
    await new Promise((done) => setImmediate(done));
  }
  const outcome = await capture.then(
    (some) => some.tree,
    (error: unknown) => (error as { code: string }).code,
  );
  if (outcome === "tree-changed-while-read") return;
  const text = Buffer.from((await mirror.readFile(outcome, "grow.txt")) ?? []).toString();
  const round = Number(text.split("\n")[0]);
  expect(["x", `${round}\n`.repeat(round + 1)]).toContain(text);
});

test("a tree that cannot be read is an error", async () => {
  using stage = openGitStage({ files: base });
  const { mirror, base: from } = await stage.open();
  await expect(mirror.captureDirectory(path.join(stage.root, "nowhere"), from)).rejects.toMatchObject({
    code: "tree-unreadable",
  });
});

test("an aborted capture stops and says so", async () => {
  using stage = openGitStage({ files: base });
  const { mirror, base: from, room } = await stage.open();
  await expect(mirror.captureDirectory(room, from, { signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: "interrupted",
  });
});

const fileNames = ["a", "b.ts", "d/c", "d/e/f.ts", "g.png", "d/é", "sp ace"];
const content = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc
    .array(fc.constantFrom("x\n", "y\n", "\0", "\r\n", "z", "\\ No newline\n", "--- a\n", "@@ -1 +1 @@\n"), {
      maxLength: 12,
    })
    .map((parts) => parts.join("")),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
);
const state = fc.dictionary(fc.constantFrom(...fileNames), fc.tuple(content, fc.boolean()), { noNullPrototype: true });

/** Many small changes side by side, each in a directory of its own, so that one commit tries them all. */
const changes = fc.array(fc.tuple(state, state), { minLength: 1, maxLength: 8, size: "max" });

test("[E2] the exact patch of any change gives the same tree through `git apply --binary`", async () => {
  using stage = openGitStage({ files: { seed: "s\n" } });
  const put = (
    directory: string,
    sides: readonly Readonly<Record<string, readonly [string | Uint8Array, boolean]>>[],
  ): void => {
    rmSync(path.join(directory, "changes"), { recursive: true, force: true });
    for (const [index, files] of sides.entries())
      for (const [name, [bytes, executable]] of Object.entries(files)) {
        const file = path.join(directory, "changes", String(index), name);
        mkdirSync(path.dirname(file), { recursive: true });
        writeFileSync(file, bytes);
        chmodSync(file, executable ? 0o755 : 0o644);
      }
  };
  await fc.assert(
    fc.asyncProperty(changes, async (pairs) => {
      put(
        stage.repository,
        pairs.map(([before]) => before),
      );
      stage.run(stage.repository, "add", "-A");
      stage.run(stage.repository, "commit", "-q", "--allow-empty", "-m", "x");
      const { mirror, base: from, room, facts } = await stage.open();
      put(
        room,
        pairs.map(([, after]) => after),
      );
      const found = await facts();
      const patch = await mirror.patch(from.tree, found.tree);
      if (patch.length > 0)
        execFileSync("git", ["apply", "--cached", "--binary", "-"], { cwd: stage.repository, input: patch });
      expect(stage.run(stage.repository, "write-tree").trim()).toBe(found.tree);
    }),
    { numRuns: 3 },
  );
});

const piece = fc.constantFrom(
  "a",
  "b",
  "ab",
  "*",
  "**",
  "?",
  "/",
  "[ab]",
  "[!a]",
  "[a-c]",
  "\\*",
  "!",
  "**/",
  "/**",
  " ",
  "[[:alpha:]]",
  ".",
  "]",
  "[",
  "\\",
);
const patterns = fc.array(
  fc.array(piece, { minLength: 1, maxLength: 5 }).map((parts) => parts.join("")),
  { minLength: 1, maxLength: 4 },
);
const subjects = [
  "a",
  "b",
  "ab",
  "abc",
  "a/b",
  "a/ab",
  "b/a",
  "a/b/ab",
  "ab/a",
  ".a",
  "a]",
  "*",
  "a*",
  "a b",
  "b/a/b/a",
];

/** Many ignore files side by side, each in a directory of its own: git judges them all at once. */
const ignoreFiles = fc.array(patterns, { minLength: 1, maxLength: 60, size: "max" });

test("[E13] ignore rules are those of `git check-ignore`, for any pattern", () => {
  using stage = openGitStage({ files: {} });
  const run = (files: readonly (readonly string[])[]): ReadonlySet<string> => {
    const names = files.flatMap((lines, index) => {
      stage.write(stage.repository, { [`${index}/.gitignore`]: `${lines.join("\n")}\n` });
      return subjects.map((subject) => `${index}/${subject}`);
    });
    // Git ends with 1 where it ignores nothing.
    const { status, stdout, stderr } = spawnSync("git", ["check-ignore", "--no-index", "--stdin", "-z"], {
      cwd: stage.repository,
      input: names.map((name) => `${name}\0`).join(""),
      encoding: "utf8",
    });
    if (status !== 0 && status !== 1) throw new Error(stderr);
    return new Set(stdout.split("\0").filter((some) => some !== ""));
  };
  const ours = (lines: readonly string[]): readonly string[] => {
    const file = parseIgnoreFile("", Buffer.from(`${lines.join("\n")}\n`));
    const ignored = (name: string): boolean =>
      name.split("/").some((_, index, parts) => {
        const part = parts.slice(0, index + 1).join("/");
        return isIgnored([file], part, index < parts.length - 1);
      });
    return subjects.filter(ignored);
  };
  fc.assert(
    fc.property(ignoreFiles, (files) => {
      const theirs = run(files);
      for (const [index, lines] of files.entries())
        expect(ours(lines), JSON.stringify(lines)).toEqual(
          subjects.filter((subject) => theirs.has(`${index}/${subject}`)),
        );
    }),
    { numRuns: 12 },
  );
});
