import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { digestOf, type Digest } from "../../src/core/digest.ts";
import { overridePath, renderOverride, signedText, type OverrideRow } from "../../src/core/override/index.ts";
import { openPipeline, plainGit, writeFiles, type Pipeline, type Ran } from "./pipeline-stage.ts";

const contract = JSON.stringify({ changed_files_only: ["src/**"] });
const start = { "package.json": '{"name":"a","version":"1.0.0","private":true}\n', "src/a.js": "export {};\n" };

/** A key of a person, and rows that are signed with it. */
function openSigning(home: string) {
  const directory = mkdtempSync(path.join(home, "key-"));
  const key = path.join(directory, "key");
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "ada", "-f", key]);
  const now = Date.now();
  return {
    publicKey: readFileSync(`${key}.pub`, "utf8").split(" ").slice(0, 2).join(" "),
    sign(facts: { readonly change: Digest; readonly contract: Digest }): Readonly<Record<string, string>> {
      const row: OverrideRow = {
        version: 1,
        finding: { code: "outside-scope", subject: "README.md" },
        ...facts,
        reason: "A word in passing.",
        user: "ada@example.com",
        created_at: new Date(now - 60_000).toISOString(),
        expires_at: new Date(now + 86_400_000).toISOString(),
      };
      const args = ["-Y", "sign", "-f", key, "-n", "trueup-override"];
      const signature = execFileSync("ssh-keygen", args, {
        input: signedText(row),
        encoding: "utf8",
        stdio: ["pipe", "pipe", "ignore"],
      });
      return { [overridePath(row)]: renderOverride({ row, signature }) };
    },
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  };
}

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

  test("[C5] a key that the base's tip no longer names opens nothing, though the branch was cut before that", async () => {
    using signing = openSigning(pipeline.home);
    const named = { ".trueup/allowed_signers": `ada@example.com ${signing.publicKey}\n` };
    commit({ ...named });
    plainGit(work, "push", "-q", "origin", "HEAD:refs/heads/rotating");
    const before = plainGit(work, "rev-parse", "HEAD").trim();
    plainGit(work, "rm", "-q", ".trueup/allowed_signers");
    plainGit(work, "commit", "-q", "--no-verify", "-m", "rotated");
    const after = plainGit(work, "rev-parse", "HEAD").trim();
    plainGit(work, "checkout", "-q", "--detach", before);
    writeFiles(work, { "README.md": "x\n" });
    plainGit(work, "add", "-A", "-f");
    plainGit(work, "commit", "-q", "--no-verify", "-m", "stray");
    const change = (await ci("--base", before)).verdict?.change_digest ?? "sha256:";
    writeFiles(work, signing.sign({ change, contract: digestOf(JSON.parse(contract)) }));
    plainGit(work, "add", "-A", "-f");
    plainGit(work, "commit", "-q", "--no-verify", "-m", "override");
    const held = await ci("--base", before);
    expect([held.exit, held.blocks]).toEqual([0, ["outside-scope README.md"]]);
    const rotated = await ci("--base", after);
    expect(rotated.exit).toBe(1);
    expect(rotated.blocks).toContain("outside-scope README.md");
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
