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

  /** What one interrupted delivery and its resumption left. */
  async function interruptAndResume(around: Around, dies: boolean): Promise<Record<string, unknown>> {
    using stage = template.twin();
    const first = await stage.play({ around, dies });
    const second = await stage.play();
    const branch = `refs/heads/${second.result?.branch}`;
    return {
      error: second.error,
      status: second.result?.status,
      proven: second.result?.proven,
      branches: stage.branches(),
      commitIsTip: second.result?.commit === stage.refs()[branch],
      pulls: (await stage.pulls()).map((one) => `${one.number} ${one.state} ${one.head_branch}`),
      pull: second.result?.pullRequest?.number,
      agentRuns: [first.agentRuns, second.agentRuns],
      pushedOver: stage.pushes().map((line) => line.split(" ")[0]),
    };
  }

  /** One branch of the one name, one pull request, and no agent asked again once its work was stored. */
  function converged(n: number, when: "before" | "after"): Record<string, unknown> {
    const [ran, stored] = [
      clean.effects.indexOf("writeArtifact transcript.txt"),
      clean.effects.indexOf("save capture"),
    ];
    const isStored = when === "after" ? n - 1 >= stored : n - 1 > stored;
    return {
      error: null,
      status: "published",
      proven: true,
      branches: [`refs/heads/${clean.result?.branch}`],
      commitIsTip: true,
      pulls: [`1 open ${clean.result?.branch}`],
      pull: 1,
      agentRuns: [n - 1 >= ran ? 1 : 0, isStored ? 0 : 1],
      pushedOver: ["0".repeat(40)],
    };
  }

  test("[G7] [G8] a crash before the n-th effect, for every n, then the same task: one branch, one pull request, same address", async () => {
    for (const [index, name] of clean.effects.entries()) {
      const left = await interruptAndResume(crashAt(index + 1, "before"), true);
      expect(left, `before ${name} (${index + 1})`).toEqual(converged(index + 1, "before"));
    }
  });

  test("[G7] [G8] a crash right after each stored or published effect, then the same task: one branch, one pull request", async () => {
    for (const [index, name] of clean.effects.entries()) {
      // After one artifact is before the next: those are in the test above.
      if (/^(?:writeArtifact|list)/u.test(name)) continue;
      const left = await interruptAndResume(crashAt(index + 1, "after"), true);
      expect(left, `after ${name} (${index + 1})`).toEqual(converged(index + 1, "after"));
    }
  });

  test("[G8] a remote or forge that fails at the n-th effect, done or not, for every n: the same task converges", async () => {
    for (const [index, name] of clean.effects.entries()) {
      if (/^(?:save|writeArtifact|recordIntent)/u.test(name)) continue;
      for (const when of ["before", "after"] as const) {
        const left = await interruptAndResume(failAt(index + 1, when), false);
        expect(left, `${when} ${name} (${index + 1})`).toEqual(converged(index + 1, when));
      }
    }
  });
});
