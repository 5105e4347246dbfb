import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { exitCodeOf, TrueupError } from "../../src/errors.ts";
import type { StepName } from "../../src/ports/index.ts";
import { openResumeStage, shout, type Played, type ResumeStage } from "./resume-stage.ts";

function codeOf(played: Played): string {
  if (played.error instanceof TrueupError) return played.error.code;
  return played.error instanceof Error ? played.error.message : (played.result?.status ?? "nothing");
}

describe("one task, one executor, one word", () => {
  let template: ResumeStage;
  let stage: ResumeStage;

  beforeAll(() => void (template = openResumeStage()));
  afterAll(() => template[Symbol.dispose]());
  beforeEach(() => void (stage = template.twin()));
  afterEach(() => stage[Symbol.dispose]());

  test.each([
    ["reconcile", { agentRuns: 0, branches: 0, captured: false }],
    ["clone", { agentRuns: 0, branches: 0, captured: false }],
    ["bootstrap", { agentRuns: 0, branches: 0, captured: false }],
    ["baseline", { agentRuns: 0, branches: 0, captured: false }],
    // The agent ended by itself all the same: its work is captured before the delivery stops.
    ["agent", { agentRuns: 1, branches: 0, captured: true }],
    ["capture", { agentRuns: 1, branches: 0, captured: true }],
    ["verify", { agentRuns: 1, branches: 0, captured: true }],
    ["publish", { agentRuns: 1, branches: 0, captured: true }],
  ] as const)(
    "[F15] interrupted at %s: nothing half-published, exit 130, and the same task resumes",
    async (step, left) => {
      const controller = new AbortController();
      const stopped = await stage.play({
        signal: controller.signal,
        onEvent: (event) => {
          if (event.kind === "step" && event.step === step && event.state === "start") controller.abort();
        },
      });
      expect(stopped.error).toBeInstanceOf(TrueupError);
      expect([codeOf(stopped), exitCodeOf(stopped.error as TrueupError)]).toEqual(["interrupted", 130]);
      expect((stopped.error as TrueupError).hint).toContain("resumes");
      expect([stopped.agentRuns, stage.branches().length, (await stage.pulls()).length]).toEqual([
        left.agentRuns,
        left.branches,
        0,
      ]);
      const next = await stage.play();
      expect([next.result?.status, next.result?.proven, next.agentRuns]).toEqual([
        "published",
        true,
        left.captured ? 0 : 1,
      ]);
      expect([stage.branches().length, (await stage.pulls()).length]).toEqual([1, 1]);
    },
  );

  test.each(["recordIntent", "pushNew", "openPullRequest", "save publish"])(
    "[G8] interrupted during %s: what was begun is finished, never left between push and pull request",
    async (effect) => {
      const controller = new AbortController();
      const stopped = await stage.play({
        signal: controller.signal,
        around: async (name, act) => {
          if (name === effect) controller.abort();
          return act();
        },
      });
      expect([codeOf(stopped), stage.branches().length, (await stage.pulls()).length]).toEqual(["interrupted", 1, 1]);
      const next = await stage.play();
      expect([next.result?.status, next.result?.proven, next.agentRuns]).toEqual(["published", true, 0]);
      expect([stage.branches().length, (await stage.pulls()).length]).toEqual([1, 1]);
    },
  );

  test("[F15] an agent cut off by the user leaves partial.patch, never a captured change; the next run asks it anew", async () => {
    const controller = new AbortController();
    const stopped = await stage.play({
      signal: controller.signal,
      stop: "cancelled",
      edit: (directory) => {
        writeFileSync(path.join(directory, "notes.txt"), "half of the wo");
        controller.abort();
      },
    });
    expect(codeOf(stopped)).toBe("interrupted");
    const [id] = readdirSync(path.join(stage.state, "attempts")).filter((name) => !name.startsWith("."));
    const out = path.join(stage.state, "attempts", id ?? "", "out");
    expect(readFileSync(path.join(out, "partial.patch"), "utf8")).toContain("+half of the wo");
    expect(existsSync(path.join(out, "diff.patch"))).toBe(false);
    const next = await stage.play();
    expect([next.result?.status, next.agentRuns]).toEqual(["published", 1]);
  });

  test("[F7] an agent that says it was cancelled was not: its work is captured and judged like any other", async () => {
    const played = await stage.play({ stop: "cancelled" });
    expect(codeOf(played)).toBe("published");
    expect(played.result?.judged?.verdict.findings.map((one) => one.code)).toContain("agent-stopped-early");
  });

  test.each([
    ["clone", 1, "the agent is given the new text"],
    ["verify", 0, "--new-attempt starts over with the new one"],
  ] as const)(
    "text rewritten after a stop at %s is never taken up, or passed over, without a word",
    async (step, agentRuns, words) => {
      const controller = new AbortController();
      await stage.play({
        signal: controller.signal,
        onEvent: (event) => void (event.kind === "step" && event.step === step && controller.abort()),
      });
      const rewritten = async () => {
        const notes: string[] = [];
        const prompts: string[] = [];
        const played = await stage.play({
          task: { prompt: "Do something else." },
          edit: (directory, job) => {
            prompts.push(job.prompt);
            return shout?.(directory, job);
          },
          onEvent: (event) => void (event.kind === "note" && event.step === "lease" && notes.push(event.text)),
        });
        return { code: codeOf(played), notes, prompts };
      };
      const { code, notes, prompts } = await rewritten();
      expect([code, prompts.length]).toEqual(["published", agentRuns]);
      expect(notes).toEqual([expect.stringContaining(words)]);
      for (const prompt of prompts) expect(prompt).toContain("Do something else.");
      // A text that was pinned anew is no news; one that no agent saw still is.
      expect((await rewritten()).notes).toHaveLength(agentRuns === 1 ? 0 : 1);
    },
  );

  test("[F1] two deliveries of one task at once: one works, the other is attempt-locked with exit 2 and touches nothing", async () => {
    let second: Played | null = null;
    const first = await stage.play({
      edit: async (directory, job) => {
        second = await stage.play();
        await shout?.(directory, job);
      },
    });
    expect(codeOf(first)).toBe("published");
    const locked = second as Played | null;
    expect([locked === null ? null : codeOf(locked), locked?.effects, locked?.agentRuns]).toEqual([
      "attempt-locked",
      [],
      0,
    ]);
    expect(exitCodeOf(locked?.error as TrueupError)).toBe(2);
    expect((await stage.pulls()).length).toBe(1);
  });

  test("[G7] four tasks with the same change at once on one repository: one branch, one pull request", async () => {
    const titles = ["one", "two", "three", "four"];
    const played = await Promise.all(titles.map((title) => stage.play({ title })));
    expect(played.map(codeOf).toSorted()).toEqual(["attached", "attached", "attached", "published"]);
    expect([stage.branches().length, (await stage.pulls()).length]).toEqual([1, 1]);
  });

  test.each([
    ["auto_safe", "auto_safe"],
    ["proposed", "proposed"],
    ["nobody's", null],
  ] as const)(
    "[D9] a stored task that is %s and has no contract is refused at the lease, before anything is allocated",
    async (_name, authority) => {
      const steps: StepName[] = [];
      const refused = await stage.play({
        contract: null,
        change: (request) => ({ ...request, task: { ...request.task, authority } }),
        onEvent: (event) => void (event.kind === "step" && steps.push(event.step)),
      });
      expect([codeOf(refused), refused.effects, refused.agentRuns, steps]).toEqual(["authority-refused", [], 0, []]);
      const left = [path.join(stage.home, "cache"), stage.state].filter((place) => existsSync(place));
      expect(left).toEqual([]);
    },
  );

  test.each(["lease", "clone", "capture", "verify", "confirm"] as const)(
    "[G7] a stored %s step of another shape is damage with a way on, never a guess and never a bug",
    async (step) => {
      expect(codeOf(await stage.play())).toBe("published");
      const [id] = readdirSync(path.join(stage.state, "attempts")).filter((name) => !name.startsWith("."));
      const file = path.join(stage.state, "attempts", id ?? "", "attempt.json");
      const record = JSON.parse(readFileSync(file, "utf8")) as { steps: Record<string, unknown> };
      // Without its end the attempt is one that stopped on the way, so that every step is read again.
      const steps = Object.fromEntries(Object.entries(record.steps).filter(([name]) => name !== "confirm"));
      const damaged = { ...steps, [step]: { at: 1, data: { surprise: true } } };
      writeFileSync(file, JSON.stringify({ ...record, steps: damaged }));
      const again = await stage.play();
      expect([codeOf(again), again.agentRuns]).toEqual(["attempt-damaged", 0]);
      expect((again.error as TrueupError).hint).toContain("--new-attempt");
      expect((await stage.pulls()).length).toBe(1);
    },
  );
});
