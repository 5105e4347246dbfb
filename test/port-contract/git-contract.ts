import path from "node:path";
import { expect, test } from "vitest";
import type { CommitRequest, Mirror } from "../../src/ports/index.ts";
import { openGitStage } from "../integration/git-stage.ts";

const base = { "src/a.ts": "one\n", ".gitignore": "*.log\n" };

/** What every implementation of the git port must hold, on a real repository of a user. */
export function describeGit(name: string): void {
  test(`${name}: [G1] a commit is a function of its request`, async () => {
    using stage = openGitStage({ files: base });
    const { mirror, request } = await changed(stage);
    expect(await mirror.commit(request)).toBe(await mirror.commit(request));
    expect(await mirror.commit({ ...request, date: request.date + 1 })).not.toBe(await mirror.commit(request));
  });

  test(`${name}: [G5] a push never moves what exists, and an address that cannot be read is never an empty list`, async () => {
    using stage = openGitStage({ files: base });
    const { mirror, request } = await changed(stage);
    const remote = path.join(stage.root, "remote.git");
    await expect(mirror.listRemote(remote, "refs/")).rejects.toMatchObject({ code: "repository-unreachable" });
    stage.run(stage.root, "init", "-q", "--bare", "remote.git");
    expect(await mirror.listRemote(remote, "refs/")).toEqual([]);
    expect(await mirror.pushNew(remote, "t/x", request.parent)).toEqual({ outcome: "created" });
    const again = await mirror.pushNew(remote, "t/x", await mirror.commit(request));
    expect(again).toEqual({ outcome: "exists", at: request.parent });
  });

  test(`${name}: [E4] paths that leave the tree, name a directory or a symlink have no bytes`, async () => {
    using stage = openGitStage({ files: base });
    const { mirror, request } = await changed(stage);
    for (const some of ["../x", "/etc/passwd", "src", "src/", "", ".", "src/../src/a.ts", "src//a.ts", "a\0b"])
      expect(await mirror.readFile(request.tree, some)).toBeNull();
    expect(Buffer.from((await mirror.readFile(request.tree, "src/a.ts")) ?? []).toString()).toBe("two\n");
  });

  test(`${name}: [E2] capturing what was materialised gives the same tree, and no change has no entries`, async () => {
    using stage = openGitStage({ files: base });
    const { mirror, base: from, room, facts } = await stage.open();
    expect((await mirror.captureDirectory(room, from)).tree).toBe(from.tree);
    expect(await facts()).toMatchObject({ entries: [], added_lines: 0, changed_bytes: 0 });
    expect(await mirror.patch(from.tree, from.tree)).toHaveLength(0);
  });
}

async function changed(stage: ReturnType<typeof openGitStage>): Promise<{ mirror: Mirror; request: CommitRequest }> {
  const { mirror, base: from, room, facts } = await stage.open();
  stage.write(room, { "src/a.ts": "two\n" });
  const { tree } = await facts();
  return { mirror, request: { tree, parent: from.commit, message: "m\n", date: 1_700_000_000 } };
}
