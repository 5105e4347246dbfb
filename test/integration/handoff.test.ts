import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectRefusal, openStage, type Ended, type Stage } from "./bad-input-stage.ts";
import { writeFiles } from "./pipeline-stage.ts";

let stage: Stage;
let work: string;
beforeAll(() => {
  stage = openStage();
  const contract = JSON.stringify({ changed_files_only: ["src/**"] });
  work = stage.repository("work", { "src/a.txt": "1\n", ".trueup/contract.json": contract });
});
afterAll(() => stage[Symbol.dispose]());

const run = (...argv: readonly string[]): Promise<Ended> => stage.run(work, argv);
const artifacts = (): string => {
  const checks = path.join(stage.state, "checks");
  return path.join(checks, readdirSync(checks).toSorted().at(-1) ?? "", "out");
};

describe("trueup handoff", () => {
  test("[I7] without a verdict there is none, whatever anybody says of the work", async () => {
    expectRefusal(await run("handoff"), { code: "handoff-without-verdict" });
    stage.write({ "empty/claim.txt": "All tests pass." });
    expectRefusal(await run("handoff", stage.path("empty")), { code: "handoff-without-verdict" });
  });

  test("[I7] it has seven fields, from the verdict alone, and says whether the work tree is what was judged", async () => {
    writeFiles(work, { "src/a.txt": "2\n" });
    expect((await run("check", "--quiet")).exit).toBe(0);
    const told = await run("handoff", "--json");
    expect([told.exit, told.stderr]).toEqual([0, ""]);
    const { version, ...fields } = JSON.parse(told.stdout) as Record<string, unknown>;
    expect([version, Object.keys(fields).toSorted()]).toEqual([
      1,
      ["asked", "changed", "claimed", "clean_state", "next", "open", "verified"],
    ]);
    expect(fields).toMatchObject({
      changed: [{ path: "src/a.txt", status: "modified", added: 1, deleted: 1 }],
      verified: { outcome: "passed", grade: "C", passed: 1, of: 1, tests_added: null },
      clean_state: { state: "clean" },
      next: ["review"],
    });
    expect((await run("handoff", "--json")).stdout).toBe(told.stdout);
    const text = (await run("handoff")).stdout;
    const headings = ["Asked", "Changed", "Verified", "Claimed", "Open", "Clean state", "Next"];
    expect(text.match(/^## .*$/gmu)).toEqual(headings.map((one) => `## ${one}`));
  });

  test("[I7] of a tree that was not judged there is none: an edit after the check", async () => {
    writeFiles(work, { "src/a.txt": "3\n" });
    expectRefusal(await run("handoff"), { code: "handoff-moved" });
    const open = await run("handoff", "--unfinished");
    expect([open.exit, open.stdout]).toEqual([1, expect.stringContaining("NOT what was judged")]);
    // By name, it speaks of what was judged, and says that it was compared with nothing.
    expect((await run("handoff", artifacts())).stdout).toContain("Not compared with any work tree.");
  });

  test("[C12] work that is not accepted is not handed over as done", async () => {
    writeFiles(work, { "notes.md": "note\n" });
    expect((await run("check", "--quiet")).exit).toBe(1);
    expectRefusal(await run("handoff"), { code: "handoff-not-accepted", says: /blocked/u });
    const open = await run("handoff", "--unfinished");
    expect([open.exit, open.stdout]).toEqual([
      1,
      expect.stringMatching(
        /^# Handoff: NOT ACCEPTED \(blocked\)[^]*block `outside-scope`[^]*## Next\n\n- `outside-scope`: /u,
      ),
    ]);
  });

  test("[I7] a verdict that does not follow from its facts is none", async () => {
    const file = path.join(artifacts(), "verdict.json");
    writeFileSync(file, readFileSync(file, "utf8").replace('"outcome":"blocked"', '"outcome":"passed"'));
    expectRefusal(await run("handoff", "--unfinished"), { code: "artifacts-damaged" });
  });

  test("the artifacts of a session's gate are decided again and handed over like any other", async () => {
    writeFiles(work, { "notes.md": "note\n" });
    expect((await run("start")).exit).toBe(0);
    const gated = await run("gate");
    expect([gated.exit, (await run("gate", artifacts())).exit]).toEqual([1, 1]);
    expect((await run("handoff", "--unfinished")).stdout).toContain("grade D");
  });
});
