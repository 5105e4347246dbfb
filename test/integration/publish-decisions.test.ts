import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { recordPersonDecision } from "../../src/adapters/forge/local/person.ts";
import { pullRequestPath } from "../../src/adapters/forge/local/pull-request-directory.ts";
import { TrueupError } from "../../src/errors.ts";
import { longText, openResumeStage, shout, type AgentEdit, type Played, type ResumeStage } from "./resume-stage.ts";

const person = { kind: "person", name: "grace" } as const;
const again = { newAttempt: true };
const nothingYet = "0".repeat(40);

/** Status, whether the verdict speaks for what stands there, and why. */
function ended(played: Played): readonly unknown[] {
  expect(played.error).toBeNull();
  return [played.result?.status, played.result?.proven, played.result?.reason];
}

function codeOf(played: Played): string {
  if (played.error instanceof TrueupError) return played.error.code;
  return played.error instanceof Error ? played.error.message : (played.result?.status ?? "nothing");
}

describe("what stands on the remote decides", () => {
  let template: ResumeStage;
  let stage: ResumeStage;

  beforeAll(() => void (template = openResumeStage()));
  afterAll(() => template[Symbol.dispose]());
  beforeEach(() => void (stage = template.twin()));
  afterEach(() => {
    // Whatever a test is about: nothing was ever moved, forced or deleted.
    const ours = stage.pushes().filter((line) => line.endsWith(" refs/heads/main") === false);
    const moved = ours.filter((line) => !line.startsWith(nothingYet));
    if (moved.length > 0) throw new Error(`a ref was moved or deleted: ${moved.join(", ")}`);
    stage[Symbol.dispose]();
  });

  test("[G2] the same edit on a base that moved has the same key: it attaches, no second pull request", async () => {
    const contract = { changed_files_only: ["long.txt"] };
    const edit: AgentEdit = (directory) => {
      const file = path.join(directory, "long.txt");
      writeFileSync(file, readFileSync(file, "utf8").replace("line 15", "LINE 15"));
    };
    const first = await stage.play({ contract, edit });
    stage.commit({ "long.txt": `line 0\n${longText}` }, "A person adds a line above");
    const second = await stage.play({ contract, edit, title: "The same, asked again" });
    expect(ended(second)).toEqual(["attached", true, null]);
    expect(second.result?.branch).toBe(first.result?.branch);
    const [one, other] = [first, second].map((played) => played.result?.judged?.facts.change);
    expect(other?.base_commit).not.toBe(one?.base_commit);
    expect(other?.same_edit_key).toBe(one?.same_edit_key);
    expect([stage.branches().length, (await stage.pulls()).length]).toEqual([1, 1]);
  });

  test("[G2] blob ids and line numbers of the diff do not name the branch: two attempts at one edit share it", async () => {
    const first = await stage.play();
    stage.commit({ "README.md": "Other notes.\n" }, "A person changes another file");
    const second = await stage.play({ title: "The same, asked again" });
    expect(second.result?.judged?.facts.change.change_digest).toBe(first.result?.judged?.facts.change.change_digest);
    expect([second.result?.branch, stage.branches()]).toEqual([
      first.result?.branch,
      [`refs/heads/${first.result?.branch}`],
    ]);
  });

  test("[G3] an open pull request of the branch is attached to by another task; the first is untouched", async () => {
    await stage.play();
    const before = await stage.pulls();
    const second = await stage.play({ title: "The same, asked again" });
    expect(ended(second)).toEqual(["attached", true, null]);
    expect(second.result?.pullRequest?.number).toBe(1);
    expect(await stage.pulls()).toEqual(before);
  });

  test("[G3] [G7] a new attempt of a task with an open pull request adopts it before any agent runs", async () => {
    await stage.play();
    const second = await stage.play({ flags: again });
    expect(ended(second)).toEqual(["attached", true, "this task has an open pull request"]);
    expect([second.agentRuns, (await stage.pulls()).length]).toEqual([0, 1]);
  });

  test("[D12] a pull request that was judged under another contract is adopted, but never as proven", async () => {
    await stage.play();
    const contract = { changed_files_only: ["notes.txt"], max_added_lines: 1 };
    const second = await stage.play({ flags: again, contract });
    const reason = "this task has an open pull request, judged under another contract";
    expect([ended(second), second.agentRuns]).toEqual([["attached", false, reason], 0]);
  });

  test("[G4] a pull request that a person closed declines the same edit, with who and the comment, again and again", async () => {
    await stage.play();
    await recordPersonDecision({
      repository: stage.remote,
      number: 1,
      decision: "close",
      by: person,
      comment: "Not wanted \u001b[2J@here",
    });
    const before = stage.refs();
    const reason = "grace closed it (pull request 1): Not wanted \u001b[2J@here";
    for (const flags of [again, {}, again]) {
      const next = await stage.play({ flags });
      expect(ended(next)).toEqual(["declined", false, reason]);
    }
    expect(ended(await stage.play({ title: "The same, from another task" }))).toEqual(["declined", false, reason]);
    expect([stage.refs(), (await stage.pulls()).map((one) => one.state)]).toEqual([before, ["closed"]]);
  });

  test("[G4] a pull request that vanished with its branch, or that a bot closed, is no decision: it is opened again, linked", async () => {
    await stage.play();
    const by = { kind: "bot", name: "stale-bot" } as const;
    await recordPersonDecision({ repository: stage.remote, number: 1, decision: "close", by });
    const next = await stage.play({ flags: again });
    expect(ended(next)).toEqual(["published", true, null]);
    const pulls = await stage.pulls();
    expect(pulls.map((one) => one.state)).toEqual(["closed", "open"]);
    expect(pulls[1]?.body).toContain("/1.json");
  });

  test("[G4] published before and its pull request taken down: a decision, no retry; our own crash is told apart", async () => {
    await stage.play();
    rmSync(pullRequestPath(stage.remote, 1));
    const takenDown = "the branch was published before and its pull request taken down";
    expect(ended(await stage.play({ flags: again }))).toEqual(["declined", false, takenDown]);
    expect(ended(await stage.play({ title: "From another task" }))).toEqual(["declined", false, takenDown]);

    using crashed = template.twin();
    const crash = new Error("killed");
    const stopped = await crashed.play({
      around: async (name, act) => (name === "openPullRequest" ? Promise.reject(crash) : act()),
    });
    expect([stopped.error, crashed.branches().length]).toEqual([crash, 1]);
    expect(ended(await crashed.play({ flags: again }))).toEqual(["published", true, null]);
    expect([crashed.branches().length, (await crashed.pulls()).length]).toEqual([1, 1]);
  });

  test("[G4] a merged change is not published again; merged and reverted is for an operator only", async () => {
    await stage.play();
    await recordPersonDecision({ repository: stage.remote, number: 1, decision: "merge", by: person });
    stage.commit({ "notes.txt": "one\nTWO\nthree\n" }, "Merged");
    const merged = await stage.play({ flags: again, task: { base_ref: `${stage.refs()["refs/heads/main"]}` } });
    // On the merged base the same agent changes nothing, which is an honest failure.
    expect(codeOf(merged)).toBe("acceptance_failed");
    stage.commit({ "notes.txt": "one\ntwo\nthree\n" }, "Reverted");
    const auto = { authority: "auto_safe" };
    expect(ended(await stage.play({ flags: again, task: auto }))).toEqual([
      "declined",
      false,
      "the change was merged and reverted (pull request 1)",
    ]);
    expect(ended(await stage.play({ flags: again }))).toEqual(["published", true, null]);
  });

  test("[G11] a squatted branch name is refused and left alone, and read anew once its owner removed it", async () => {
    const probe = template.twin();
    const branch = (await probe.play()).result?.branch ?? "";
    probe[Symbol.dispose]();
    stage.git("update-ref", `refs/heads/${branch}`, "refs/heads/main");
    const before = stage.refs();
    const refused = await stage.play();
    expect(ended(refused)).toEqual(["declined", false, `the branch ${branch} exists and is not ours`]);
    expect([stage.refs(), (await stage.pulls()).length]).toEqual([before, 0]);
    stage.git("update-ref", "-d", `refs/heads/${branch}`);
    const free = await stage.play();
    expect([ended(free), free.agentRuns]).toEqual([["published", true, null], 0]);
  });

  test("[G11] a branch that claims our trailer over other content is not ours", async () => {
    const first = await stage.play();
    const branch = `refs/heads/${first.result?.branch}`;
    const message = stage.git("log", "-1", "--format=%B", branch);
    rmSync(pullRequestPath(stage.remote, 1));
    const forged = stage.git("commit-tree", "-p", "refs/heads/main", "-m", message, "refs/heads/main^{tree}").trim();
    stage.git("update-ref", branch, forged);
    const next = await stage.play({ flags: again });
    expect(ended(next)[0]).toBe("declined");
    expect(stage.refs()[branch]).toBe(forged);
  });

  test("[G11] a person's commits on our branch stay: attached, never pushed over", async () => {
    const first = await stage.play();
    const branch = `refs/heads/${first.result?.branch}`;
    const theirs = stage.git("commit-tree", "-p", branch, "-m", "By hand", `${branch}^{tree}`).trim();
    stage.git("update-ref", branch, theirs);
    const next = await stage.play({ title: "The same, asked again" });
    expect([ended(next)[0], stage.refs()[branch], (await stage.pulls()).length]).toEqual(["attached", theirs, 1]);
  });

  test("[G5] a branch that appears between reading and pushing is a rejection, read again: the other's work is attached to", async () => {
    let raced: Played | null = null;
    const late = await stage.play({
      around: async (name, act) => {
        if (name === "pushNew") raced ??= await stage.play({ title: "The other executor's task" });
        return act();
      },
    });
    expect(raced === null ? null : ended(raced)).toEqual(["published", true, null]);
    expect(ended(late)).toEqual(["attached", true, null]);
    expect(late.effects.filter((name) => name === "pushNew")).toHaveLength(1);
    expect([stage.branches().length, (await stage.pulls()).length]).toEqual([1, 1]);
  });

  test("[G5] a remote that does not answer is a transport error, never a rejection: nothing recorded as published, the same task resumes", async () => {
    const away = `${stage.remote}.away`;
    const failed = await stage.play({
      around: async (name, act) => {
        if (name !== "pushNew") return act();
        renameSync(stage.remote, away);
        return act().finally(() => renameSync(away, stage.remote));
      },
    });
    expect(codeOf(failed)).toMatch(/^(?:push-failed|repository-unreachable)$/u);
    expect((failed.error as TrueupError).retryable).toBe(true);
    expect([stage.branches(), (await stage.pulls()).length]).toEqual([[], 0]);
    const next = await stage.play();
    expect([ended(next), next.agentRuns]).toEqual([["published", true, null], 0]);
  });

  test("[G11] a pre-receive hook that refuses gives push-rejected with its reason, and nothing is opened", async () => {
    const hook = path.join(stage.remote, "hooks", "pre-receive");
    writeFileSync(hook, "#!/bin/sh\necho 'policy: no machine branches on Fridays' >&2\nexit 1\n");
    chmodSync(hook, 0o755);
    const refused = await stage.play();
    expect(codeOf(refused)).toBe("push-rejected");
    expect((refused.error as TrueupError).message).toContain("no machine branches on Fridays");
    expect([stage.branches(), (await stage.pulls()).length]).toEqual([[], 0]);
    rmSync(hook);
    const next = await stage.play();
    expect([ended(next), next.agentRuns]).toEqual([["published", true, null], 0]);
  });

  test("[G7] a forge that cannot list is undetermined, never none found: nothing is pushed", async () => {
    const failed = await stage.play({
      around: async (name, act) => {
        if (name === "listPullRequests") throw new TrueupError("forge-failed", { subject: "down" });
        return act();
      },
    });
    expect([codeOf(failed), failed.agentRuns]).toEqual(["forge-failed", 0]);
    let listed = 0;
    const later = await stage.play({
      around: async (name, act) => {
        if (name === "listPullRequests" && (listed += 1) > 1)
          throw new TrueupError("forge-failed", { subject: "down" });
        return act();
      },
    });
    expect(ended(later)).toEqual(["undetermined", false, "the forge did not list its pull requests"]);
    expect(stage.branches()).toEqual([]);
    expect(ended(await stage.play())).toEqual(["published", true, null]);
  });

  test("[G3] a remote without a known forge gets its branch once; another task with the same change finds it there", async () => {
    expect(ended(await stage.play({ withoutForge: true }))).toEqual(["published", true, null]);
    const second = await stage.play({ withoutForge: true, title: "The same, asked again" });
    expect([ended(second), stage.branches().length]).toEqual([["attached", true, null], 1]);
    expect(ended(await stage.play({ withoutForge: true, flags: again }))[0]).toBe("attached");
  });

  test("[G1] another edit of the same file is another branch and another pull request", async () => {
    const first = await stage.play();
    const other = await stage.play({
      title: "Another",
      edit: async (directory, job) => {
        await shout?.(directory, job);
        writeFileSync(path.join(directory, "notes.txt"), "one\nTWO\nthree\nfour\n");
      },
    });
    expect(ended(other)).toEqual(["published", true, null]);
    expect(other.result?.branch).not.toBe(first.result?.branch);
    expect((await stage.pulls()).map((one) => one.state)).toEqual(["open", "open"]);
  });
});
