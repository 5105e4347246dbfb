import { execFileSync } from "node:child_process";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPipeline, plainGit, writeFiles, type Pipeline, type Ran } from "./pipeline-stage.ts";

const contract = JSON.stringify({ changed_files_only: ["src/**"] });
const start = { "package.json": '{"name":"a","version":"1.0.0","private":true}\n', "src/a.js": "export {};\n" };

describe("trueup ci where no event is understood", () => {
  let pipeline: Pipeline;
  let work: string;
  beforeAll(() => {
    pipeline = openPipeline({ ...start, ".trueup/contract.json": contract });
    work = pipeline.clone("work");
  });
  afterAll(() => pipeline[Symbol.dispose]());

  /** A commit on top of the remote's main, with every hook left out, as an agent would make it. */
  function commit(files: Readonly<Record<string, string>>): void {
    plainGit(work, "checkout", "-q", "--detach", "origin/main");
    writeFiles(work, files);
    plainGit(work, "add", "-A", "-f");
    plainGit(work, "commit", "-q", "--no-verify", "-m", "work");
  }
  const ci = (...flags: readonly string[]): Promise<Ran> =>
    pipeline.run(work, ["ci", "--json", ...flags], { GITHUB_ACTIONS: "", NODE_OPTIONS: "", LD_LIBRARY_PATH: "" });

  test("[C8] a commit made with --no-verify is blocked here; a good one passes at grade B", async () => {
    commit({ "README.md": "x\n" });
    const bad = await ci("--base", "origin/main");
    expect([bad.exit, bad.blocks]).toEqual([1, ["outside-scope README.md"]]);
    commit({ "src/a.js": "export const a = 1;\n" });
    const head = plainGit(work, "rev-parse", "HEAD").trim();
    const good = await ci("--base", "origin/main", "--head", head);
    expect([good.exit, good.error, good.verdict?.grade.value]).toEqual([0, null, "B"]);
    expect(good.answer["contract_base"]).toBe(plainGit(work, "rev-parse", "origin/main").trim());
  });

  test("[D11] a local branch with the base's name, moved by the job, is not the base", async () => {
    commit({ "README.md": "x\n" });
    plainGit(work, "branch", "-f", "main", "HEAD");
    const run = await ci("--base", "main");
    expect([run.exit, run.blocks]).toEqual([1, ["outside-scope README.md"]]);
  });

  test("[H14] another head than the one that was asked about is not judged", async () => {
    const run = await ci("--base", "origin/main", "--head", "0".repeat(40));
    expect([run.exit, run.error]).toEqual([3, "head-moved"]);
  });

  test.each([
    ["no base and no event", [], "usage"],
    ["a base that does not exist", ["--base", "origin/none"], "base-not-found"],
  ])("%s is an error, never a pass", async (_name, flags, code) => {
    const run = await ci(...flags);
    expect([run.exit, run.error]).toEqual([2, code]);
  });

  test("[H15] the gate reads no configuration of the repository and starts none of its hooks", async () => {
    commit({ "src/a.js": "export const b = 1;\n" });
    const trap = path.join(pipeline.home, "trap");
    pipeline.write({ "trap.sh": `#!/bin/sh\ntouch ${trap}\n` });
    const hook = path.join(pipeline.home, "trap.sh");
    for (const key of ["core.fsmonitor", "core.sshCommand", "uploadpack.packObjectsHook", "core.hooksPath"])
      plainGit(work, "config", key, hook);
    const run = await ci("--base", "origin/main");
    expect([run.exit, run.error]).toEqual([0, null]);
    expect(() => execFileSync("test", ["-e", trap])).toThrow();
  });
});
