import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { openGitStage } from "./git-stage.ts";

const base = { "src/a.ts": "one\n" };

async function ready(stage: ReturnType<typeof openGitStage>) {
  const { mirror, base: from, room, facts } = await stage.open();
  stage.write(room, { "src/a.ts": "two\n" });
  const { tree } = await facts();
  const request = { tree, parent: from.commit, message: "Title\n\nBody é\n\nTrailer: x\n", date: 1_700_000_000 };
  stage.run(stage.root, "init", "-q", "--bare", "remote.git");
  return { mirror, from, request, remote: path.join(stage.root, "remote.git") };
}

test("[G1] the same request is the same commit, with our identity, in UTC", async () => {
  using stage = openGitStage({ files: base });
  const { mirror, request } = await ready(stage);
  const id = await mirror.commit(request);
  expect(await mirror.commit(request)).toBe(id);
  expect(await mirror.readCommit(id)).toEqual({
    tree: request.tree,
    parents: [request.parent],
    message: request.message,
  });
  const raw = stage.run(mirror.path, "cat-file", "commit", id);
  expect(raw).toMatch(/^author Trueup <[^>]+> 1700000000 \+0000$/mu);
  expect(await mirror.readCommit("f".repeat(40))).toBeNull();
  expect(await mirror.readCommit(request.tree)).toBeNull();
});

test("[G5] a push creates a branch once; a second never moves it", async () => {
  using stage = openGitStage({ files: base });
  const { mirror, request, remote, from } = await ready(stage);
  const id = await mirror.commit(request);
  const other = await mirror.commit({ ...request, message: "other\n" });
  expect(await mirror.pushNew(remote, "trueup/0123456789ab", id)).toEqual({ outcome: "created" });
  for (const again of [id, other, from.commit])
    expect(await mirror.pushNew(remote, "trueup/0123456789ab", again)).toEqual({ outcome: "exists", at: id });
  expect(await mirror.listRemote(remote, "refs/heads/trueup/")).toEqual([
    { name: "refs/heads/trueup/0123456789ab", id },
  ]);
  expect(await mirror.listRemote(remote, "refs/heads/none/")).toEqual([]);
});

test("[G5] a branch that someone else moved on is `exists`, with where it stands", async () => {
  using stage = openGitStage({ files: base });
  const { mirror, request, remote, from } = await ready(stage);
  const id = await mirror.commit(request);
  expect(await mirror.pushNew(remote, "trueup/x", from.commit)).toEqual({ outcome: "created" });
  expect(await mirror.pushNew(remote, "trueup/x", id)).toEqual({ outcome: "exists", at: from.commit });
});

test("[G5] a remote's refusal is `rejected` with its reason, a broken remote is `transport`", async () => {
  using stage = openGitStage({ files: base });
  const { mirror, request, remote } = await ready(stage);
  const id = await mirror.commit(request);
  const hook = path.join(remote, "hooks/pre-receive");
  writeFileSync(hook, "#!/bin/sh\necho no such branch here >&2\nexit 1\n");
  chmodSync(hook, 0o755);
  const refused = await mirror.pushNew(remote, "trueup/x", id);
  expect(refused).toMatchObject({
    outcome: "rejected",
    reason: expect.stringContaining("pre-receive hook declined") as string,
  });
  execFileSync("rm", ["-rf", path.join(remote, "objects")]);
  const broken = mirror.pushNew(remote, "trueup/x", id);
  await expect(
    broken.then(
      (some) => some.outcome,
      (error: unknown) => (error as { code: string }).code,
    ),
  ).resolves.toMatch(/^(?:transport|repository-unreachable)$/u);
});

test("[E13] 123: a pre-push hook in the mirror's place does not run, nor does any of the user's", async () => {
  using stage = openGitStage({ files: base });
  const { mirror, request, remote } = await ready(stage);
  const mark = path.join(stage.root, "ran");
  execFileSync("mkdir", ["-p", path.join(mirror.path, "hooks")]);
  for (const hook of ["pre-push", "reference-transaction", "post-commit"])
    writeFileSync(path.join(mirror.path, "hooks", hook), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
  expect(await mirror.pushNew(remote, "trueup/x", await mirror.commit(request))).toEqual({ outcome: "created" });
  expect(existsSync(mark)).toBe(false);
});

test("a commit that only the remote has can be fetched by its ref", async () => {
  using stage = openGitStage({ files: base });
  const { mirror, request, remote } = await ready(stage);
  await mirror.pushNew(remote, "trueup/x", await mirror.commit(request));
  const work = path.join(stage.root, "work");
  stage.run(stage.root, "clone", "-q", "-b", "trueup/x", remote, work);
  stage.write(work, { "src/b.ts": "b\n" });
  stage.run(work, "add", "-A");
  stage.run(work, "commit", "-q", "-m", "a person's");
  stage.run(work, "push", "-q", "origin", "trueup/x");
  const id = await mirror.fetchRef(remote, "refs/heads/trueup/x");
  expect(await mirror.readCommit(id)).toMatchObject({ message: "a person's\n" });
  await expect(mirror.fetchRef(remote, "refs/heads/none")).rejects.toMatchObject({ code: "base-not-found" });
});
