import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TrueupError } from "../../src/errors.ts";
import { openResumeStage, type Around, type Played, type ResumeStage } from "./resume-stage.ts";

/** A process that is gone: nothing catches it. */
class Crash extends Error {}

/** Ends the process before or after its n-th effect; from then on it does nothing more. */
function crashAt(n: number, when: "before" | "after"): Around {
  let count = 0;
  return async (name, act) => {
    count += 1;
    if (count > n) throw new Crash(`${name}, after the crash`);
    if (count < n) return act();
    if (when === "after") await act();
    throw new Crash(`${when} ${name}`);
  };
}

/** Lets the n-th effect fail as a remote, a forge or a disk does; with `after` it took place all the same. */
function failAt(n: number, when: "before" | "after"): Around {
  let count = 0;
  return async (name, act) => {
    count += 1;
    if (count !== n) return act();
    if (when === "after") await act();
    throw new TrueupError(/PullRequest/u.test(name) ? "forge-failed" : "push-failed", { subject: name });
  };
}

describe("fail the n-th operation, for every n", () => {
  let template: ResumeStage;
  let clean: Played;

  beforeAll(async () => {
    template = openResumeStage();
    const first = template.twin();
    clean = await first.play();
    first[Symbol.dispose]();
  });
  afterAll(() => template[Symbol.dispose]());

  test("[G9] the intent is stored before the push, and the pull request is opened after it", () => {
    expect(clean.error).toBeNull();
    expect([clean.result?.status, clean.result?.proven]).toEqual(["published", true]);
    const order = [
      "save capture",
      "save verify",
      "commit",
      "recordIntent",
      "pushNew",
      "openPullRequest",
      "save confirm",
    ];
    expect(clean.effects.filter((name) => order.includes(name))).toEqual(order);
  });

  /** One interrupted delivery and its resumption; what must hold afterwards. */
  async function interruptAndResume(around: Around, at: { n: number; when: string; dies: boolean }): Promise<void> {
    using stage = template.twin();
    const where = `${at.when} ${clean.effects[at.n - 1]} (${at.n})`;
    const first = await stage.play({ around, dies: at.dies });
    const captured = first.effects.includes("save capture") && at.n > clean.effects.indexOf("save capture");
    const saved = captured && !(at.when === "before" && clean.effects[at.n - 1] === "save capture");
    const second = await stage.play();
    expect([where, second.error]).toEqual([where, null]);
    const branch = clean.result?.branch;
    expect([where, second.result?.status, second.result?.proven, second.result?.branch]).toEqual([
      where,
      "published",
      true,
      branch,
    ]);
    expect([where, stage.branches()]).toEqual([where, [`refs/heads/${branch}`]]);
    expect([where, second.result?.commit]).toEqual([where, stage.refs()[`refs/heads/${branch}`]]);
    const pulls = await stage.pulls();
    expect([where, pulls.map((one) => [one.state, one.head_branch])]).toEqual([where, [["open", branch]]]);
    expect([where, second.result?.pullRequest?.number]).toEqual([where, 1]);
    expect([where, first.agentRuns + second.agentRuns]).toEqual([where, saved ? 1 : 1 + first.agentRuns]);
    expect([where, stage.pushes().map((line) => line.split(" ")[0])]).toEqual([where, ["0".repeat(40)]]);
  }

  test("[G7] [G8] a crash before the n-th effect, for every n, then the same task: one branch, one pull request, same address", async () => {
    for (const n of clean.effects.keys())
      await interruptAndResume(crashAt(n + 1, "before"), { n: n + 1, when: "before", dies: true });
  });

  test("[G7] [G8] a crash right after each stored or published effect, then the same task: one branch, one pull request", async () => {
    for (const [index, name] of clean.effects.entries()) {
      // After one artifact is before the next: those are in the test above.
      if (/^(?:writeArtifact|list)/u.test(name)) continue;
      await interruptAndResume(crashAt(index + 1, "after"), { n: index + 1, when: "after", dies: true });
    }
  });

  test("[G8] a remote or forge that fails at the n-th effect, done or not, for every n: the same task converges", async () => {
    for (const [index, name] of clean.effects.entries()) {
      if (/^(?:save|writeArtifact|recordIntent)/u.test(name)) continue;
      for (const when of ["before", "after"] as const)
        await interruptAndResume(failAt(index + 1, when), { n: index + 1, when, dies: false });
    }
  });
});
