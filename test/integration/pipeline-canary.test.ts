import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseMarker, parseTrailers } from "../../src/core/publication/index.ts";
import { canary, canaryContract, exampleAgent } from "./pipeline-canary.ts";
import { openPipeline, plainGit, type Delivered, type Pipeline } from "./pipeline-stage.ts";

const headline = "Acceptance: 6/6 checks passed (re-run by the executor, not reported by the model).";
const taskFile = path.resolve(import.meta.dirname, "../../examples/tasks/collapse-spaces.md");

describe("the slug canary", () => {
  let pipeline: Pipeline;
  let honest: Delivered;

  beforeAll(async () => {
    pipeline = openPipeline(canary);
    const markdown = readFileSync(taskFile, "utf8");
    honest = await pipeline.deliver({ steps: exampleAgent("honest"), contract: null, markdown });
  });
  afterAll(() => pipeline[Symbol.dispose]());

  test("[S3] [H13] the honest change passes six of six, from the fenced block of a Markdown task to a pull request", async () => {
    expect(honest.answer["error"]).toBeUndefined();
    expect([honest.exit, honest.status, honest.verdict?.outcome]).toEqual([0, "published", "passed"]);
    expect(honest.verdict?.criteria.map((one) => one.outcome)).toEqual(Array(6).fill("passed"));
    expect(honest.blocks).toEqual([]);
    expect(await pipeline.pulls()).toHaveLength(1);
  });

  test("[S3] [H11] through the real transport the change is two paths, 6 lines added and 1 deleted", () => {
    const { change } = honest.facts();
    expect(change.entries.map((one) => [one.path, one.added_lines, one.deleted_lines])).toEqual([
      ["src/slugify.ts", 1, 1],
      ["test/slugify.test.ts", 5, 0],
    ]);
    expect([change.added_lines, change.deleted_lines]).toEqual([6, 1]);
  });

  test("[E11] the report's first line and one line a check are exactly these", () => {
    const lines = (honest.artifact("report.md") ?? "").split("\n");
    expect(lines.slice(0, 8)).toEqual([
      headline,
      "",
      "- ✅ changed_files_only — changed: src/slugify.ts, test/slugify.test.ts",
      "- ✅ changed_files_required — src/slugify.ts changed",
      "- ✅ changed_files_required — test/slugify.test.ts changed",
      "- ✅ max_added_lines — 6 added (limit 15)",
      "- ✅ max_deleted_lines — 1 deleted (limit 3)",
      "- ✅ tests — npx vitest run: exit 0, 4 passed, 0 failed (expected 4 passed)",
    ]);
  });

  test("[G10] the pull request begins with the executor's report, and the model's words stand last, as a claim", async () => {
    const body = (await pipeline.pulls())[0]?.body ?? "";
    expect(body.split("\n")[0]).toBe(headline);
    const words = body.indexOf("I expect all 4 tests to pass");
    expect(words).toBeGreaterThan(body.indexOf("### How it was measured"));
    const label = body
      .slice(0, words)
      .split("\n")
      .filter((line) => line.startsWith("#"))
      .at(-1);
    expect(label).toMatch(/claim/iu);
    expect(body.slice(0, words)).toMatch(/not verified|unverified/iu);
  });

  test("[G1] the branch is the prefix and the first 12 hex digits of the change digest", () => {
    const digest = honest.facts().change.change_digest;
    expect(honest.branch).toBe(`trueup/${digest.slice("sha256:".length, "sha256:".length + 12)}`);
    expect(Object.keys(pipeline.refs())).toEqual(["refs/heads/main", `refs/heads/${honest.branch}`]);
  });

  test("the tree published is the tree tested is the tree captured, on top of the pinned base", () => {
    const facts = honest.facts();
    const at = (what: string): string => plainGit(pipeline.remote, "rev-parse", `${honest.commit}${what}`).trim();
    expect(at("^{tree}")).toBe(facts.change.tree);
    expect(at("^{tree}")).toBe(facts.runs.find((run) => run.purpose === "head")?.tree);
    expect(at("^{tree}")).toBe(honest.verdict?.tree);
    expect(at("^")).toBe(pipeline.refs()["refs/heads/main"]);
    expect(pipeline.refs()[`refs/heads/${honest.branch}`]).toBe(honest.commit);
  });

  test("commit and pull request carry task, contract and digests, so that both can be read back", async () => {
    const facts = honest.facts();
    const trailers = parseTrailers(plainGit(pipeline.remote, "log", "-1", "--format=%B", honest.commit ?? ""));
    const expected = { contract: facts.contract_digest, change_digest: facts.change.change_digest };
    expect(trailers).toMatchObject(expected);
    const marker = parseMarker((await pipeline.pulls())[0]?.body ?? "");
    expect(marker).toMatchObject({ task: trailers?.task, contract: facts.contract_digest });
    expect(marker?.digests).toEqual([facts.change.change_digest]);
  });

  test("[E10] two tests claimed and none written: blocked, nothing opened, the contradiction shown, evidence kept", async () => {
    const before = pipeline.refs();
    const claimed = await pipeline.deliver({ steps: exampleAgent("claims-two-tests"), contract: canaryContract });
    expect([claimed.exit, claimed.status, claimed.verdict?.outcome]).toEqual([1, "acceptance_failed", "blocked"]);
    expect(claimed.blocks).toEqual(["passed-count tests[0] head", "required-not-changed test/slugify.test.ts"]);
    const contradicted = claimed.verdict?.findings.filter((one) => one.code === "claim-contradicted") ?? [];
    expect(contradicted.map((one) => one.detail)).toContain("claimed 2, verified 0");
    expect(claimed.artifact("report.md")).toMatch(/^Acceptance: 4\/6 checks passed, BLOCKED by 2 findings /u);
    expect(claimed.artifact("acceptance.json")).toContain('"passed":false');
    expect(claimed.artifact("diff.patch")).toContain('+    .replace(/\\s+/g, "-");');
    expect(pipeline.refs()).toEqual(before);
    expect(await pipeline.pulls()).toHaveLength(1);
  });

  test("[E3] a file outside the scope blocks a change whose every other check passes", async () => {
    const outside = await pipeline.deliver({ steps: exampleAgent("out-of-scope"), contract: canaryContract });
    expect([outside.exit, outside.blocks]).toEqual([1, ["outside-scope README.md"]]);
    expect(outside.artifact("report.md")?.split("\n")[0]).toBe(
      "Acceptance: 5/6 checks passed, BLOCKED by 1 finding (outside-scope).",
    );
  });

  test("[G2] [G3] the same edit from another task attaches to the open pull request: no second branch or request", async () => {
    const before = pipeline.refs();
    const again = await pipeline.deliver({ steps: exampleAgent("honest"), contract: canaryContract, title: "Again" });
    expect([again.exit, again.status, again.branch]).toEqual([0, "attached", honest.branch]);
    expect(pipeline.refs()).toEqual(before);
    expect(await pipeline.pulls()).toHaveLength(1);
  });

  test("[S3] [H10] a git whose output loses its NUL bytes on the way is an error: nothing judged, nothing opened", async () => {
    const before = pipeline.refs();
    const shim = path.join(pipeline.home, "shim");
    const real = (process.env["PATH"] ?? "").split(":").map((one) => path.join(one, "git"));
    pipeline.write({
      "shim/git": `#!/bin/sh\nfor real in ${real.join(" ")}; do [ -x "$real" ] && break; done\ncase " $* " in *" diff-tree "*) "$real" "$@" | tr -d '\\000';; *) exec "$real" "$@";; esac\n`,
    });
    const stripped = await pipeline.deliver({
      steps: exampleAgent("honest"),
      contract: canaryContract,
      env: { PATH: `${shim}:${process.env["PATH"]}` },
    });
    expect([stripped.exit, stripped.verdict, stripped.error]).toEqual([3, null, "git-facts-undecodable"]);
    expect(pipeline.refs()).toEqual(before);
  });
});
