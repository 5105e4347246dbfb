import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canary, canaryContract, exampleAgent } from "./pipeline-canary.ts";
import { openPipeline, plainGit, type Delivered, type Pipeline } from "./pipeline-stage.ts";

const standing = (contract: Readonly<Record<string, unknown>>) => ({
  ...canary,
  ".trueup/contract.json": JSON.stringify(contract),
});

describe("[D14] the standing contract holds beside the task's", () => {
  let tight: Pipeline;
  let wide: Pipeline;
  beforeAll(() => {
    tight = openPipeline(standing({ max_added_lines: 5 }));
    wide = openPipeline(standing({ max_added_lines: 50, changed_files_forbidden: ["docs/**"] }));
  });
  afterAll(() => {
    tight[Symbol.dispose]();
    wide[Symbol.dispose]();
  });

  const honest = (pipeline: Pipeline): Promise<Delivered> =>
    pipeline.deliver({ steps: exampleAgent("honest"), contract: canaryContract });

  test("a delivery that the task allows and the standing contract does not is blocked, and says by what", async () => {
    const run = await honest(tight);
    expect([run.exit, run.status, run.blocks]).toEqual([1, "acceptance_failed", ["added-lines-over max_added_lines"]]);
    expect(run.artifact("contract.json")).toContain('"max_added_lines":5');
    // The gate decides the same from what was stored.
    expect((await tight.run(tight.home, ["gate", run.out])).exit).toBe(1);
    const again = await honest(tight);
    expect([again.status, again.blocks]).toEqual([run.status, run.blocks]);
  });

  test("one that both allow is published once, and the same command again finds it", async () => {
    const run = await honest(wide);
    expect([run.error, run.exit, run.status]).toEqual([null, 0, "published"]);
    // The pull request carries the task's own digest: a further attempt finds that it is still this task.
    const again = await honest(wide);
    expect([again.exit, again.status, again.branch]).toEqual([0, "attached", run.branch]);
  });

  test("without a contract of its own a task is judged by the standing one", async () => {
    const run = await tight.deliver({ steps: exampleAgent("honest"), contract: null });
    expect([run.exit, run.blocks]).toEqual([1, ["added-lines-over max_added_lines"]]);
  });

  test("a session and check hold both; a change of the standing contract itself is not heeded", async () => {
    const user = tight.clone("session");
    tight.write({ "given.json": JSON.stringify({ changed_files_only: ["src/**"] }) });
    tight.write({ "session/src/more.txt": "1\n2\n3\n4\n5\n6\n" });
    const started = await tight.run(user, ["start", "--contract", "../given.json", "--json"]);
    expect(started.answer["contract_source"]).toBe("given-and-standing");
    for (const argv of [["gate"], ["check"], ["check", "--contract", "../given.json"]]) {
      const { exit, stdout } = await tight.run(user, argv);
      expect([argv, exit, stdout]).toEqual([argv, 1, expect.stringContaining("6 added (limit 5)")]);
    }
    plainGit(user, "rm", "-q", "--cached", ".trueup/contract.json");
    expect((await tight.run(user, ["check"])).stdout).toContain("6 added (limit 5)");
  });
});
