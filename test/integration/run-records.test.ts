import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { CommandRecord } from "../../src/core/record/index.ts";
import type { Session } from "../../src/ports/index.ts";
import { openSessionStage, until, type SessionStage } from "./session-stage.ts";

describe("what a record of trueup run holds", () => {
  let stage: SessionStage;
  let session: Session;
  beforeAll(() => {
    stage = openSessionStage();
  });
  afterAll(() => stage[Symbol.dispose]());
  beforeEach(async () => {
    session = await stage.open({
      commands: [
        { command: "sh -c 'exit 0'", timeout_seconds: 60 },
        { command: "sh -c 'sleep 600'", timeout_seconds: 1 },
      ],
      tests: [{ command: "npx vitest run", cwd: "web", passed: 1 }],
    });
  });

  const onlyRecord = (): CommandRecord => {
    const [record, more] = stage.records(session);
    if (record === undefined || more !== undefined) throw new Error("there is not exactly one record");
    return record;
  };

  test("[A1] a command outside the wrapper leaves no record, the same command through it leaves one", async () => {
    execFileSync("sh", ["-c", "exit 0"], { cwd: stage.workTree, env: stage.environment });
    await expect(stage.trueup(["log", "--json"])).resolves.toMatchObject({ code: 0, stdout: Buffer.alloc(0) });
    await stage.run(["sh", "-c", "exit 0"]);
    expect(onlyRecord()).toMatchObject({ argv: ["sh", "-c", "exit 0"], matches: ["commands[0]"], role: "acceptance" });
  });

  test("[A1] a green run outside the wrapper does not satisfy the gate; through it the same run does", async () => {
    const contract = path.join(stage.root, "contract.json");
    writeFileSync(contract, JSON.stringify({ commands: [{ command: "sh -c 'test -f file.txt'" }] }));
    await stage.trueup(["start", "--contract", contract]);
    execFileSync("sh", ["-c", "test -f file.txt"], { cwd: stage.workTree, env: stage.environment });
    await stage.run(["true"]);
    const codes = async (): Promise<readonly string[]> => {
      const { stdout } = await stage.trueup(["gate", "--json"]);
      const { verdict } = JSON.parse(stdout.toString()) as { verdict: { findings: { code: string }[] } };
      return verdict.findings.map((finding) => finding.code);
    };
    expect(await codes()).toContain("command-not-run");
    await stage.run(["sh", "-c", "test -f file.txt"]);
    expect(await codes()).not.toContain("command-not-run");
  });

  test("[A2] the words are kept exactly: spaces, newlines, empty words, shell syntax, options after --", async () => {
    const words = ["printf", "%s|", "a b", "a", "b", "c\nd", "", "$HOME; *", "--", "--timeout", "ä€😀"];
    const { stdout } = await stage.run(words);
    expect(stdout.toString()).toBe(`${words.slice(2).join("|")}|`);
    expect(onlyRecord().argv).toEqual(words);
  });

  test("[A2] words that are not UTF-8 reach the command byte for byte and stand escaped in the record", async () => {
    const script = `exec "$0" "$1" run -- printf '%s|' "$(printf '\\377\\001x')" plain "$(printf 'a\\351\\nb')"`;
    const program = path.join(import.meta.dirname, "..", "..", "bin", "trueup.js");
    const out = execFileSync("sh", ["-c", script, process.execPath, program], {
      cwd: stage.workTree,
      env: stage.environment,
    });
    expect(out.toString("latin1")).toBe("\xff\x01x|plain|a\xe9\nb|");
    expect(onlyRecord().argv).toEqual(["printf", "%s|", "\\xff\x01x", "plain", "a\\xe9\nb"]);
  });

  test("[A3] standard output and standard error stay apart, in passing and in the record", async () => {
    const ended = await stage.run(["sh", "-c", "echo out; echo err >&2; echo out2"]);
    expect(ended).toMatchObject({ code: 0, stdout: Buffer.from("out\nout2\n"), stderr: "err\n" });
    expect(onlyRecord()).toMatchObject({ stdout: { head: "out\nout2\n" }, stderr: { head: "err\n" } });
  });

  test.each([
    { name: "a success", argv: ["true"], exit: 0, error: null },
    { name: "a failure", argv: ["sh", "-c", "exit 7"], exit: 7, error: null },
    { name: "a command that does not start", argv: ["no-such-command"], exit: null, error: "not-found" },
    { name: "a command ended by a signal", argv: ["sh", "-c", "kill -TERM $$"], exit: null, error: "signal" },
  ])("[A7] $name has exit code or error, duration and start", async ({ argv, exit, error }) => {
    await stage.run(argv);
    const record = onlyRecord();
    expect(record.exit_code).toBe(exit);
    expect(record.error?.kind ?? null).toBe(error);
    expect(record.duration_ms).toBeGreaterThanOrEqual(0);
    expect(Number.isInteger(record.duration_ms)).toBe(true);
    expect(new Date(record.started_at).toISOString()).toBe(record.started_at);
  });

  test("[A8] the expectation stands outside the tree before the command's first instruction", async () => {
    const started = path.join(stage.directoryOf(session), "started");
    const ended = await stage.run(["sh", "-c", `cat '${started}'/*.json`], ["--expect", "the old test goes red"]);
    expect(JSON.parse(ended.stdout.toString())).toMatchObject({
      expectation: "the old test goes red",
      exit_code: null,
    });
    expect(onlyRecord()).toMatchObject({ expectation: "the old test goes red", exit_code: 0 });
    expect(readdirSync(started)).toEqual([]);
  });

  test("[A15] the directory is recorded, and a criterion is matched by it", async () => {
    mkdirSync(path.join(stage.workTree, "web"), { recursive: true });
    await stage.run(["npx", "vitest", "run"], [], { cwd: path.join(stage.workTree, "web"), env: { PATH: "/nowhere" } });
    expect(onlyRecord()).toMatchObject({ cwd: path.join(stage.workTree, "web"), matches: ["tests[0]"] });
    await stage.run(["npx", "vitest", "run"], [], { env: { PATH: "/nowhere" } });
    expect(stage.records(session)[1]).toMatchObject({ cwd: stage.workTree, matches: [] });
  });

  test("[A21] the contract's time for a command is its own, the default is for the others, --timeout is for one run", async () => {
    const env = { TRUEUP_TIMEOUT: "0.5" };
    const ownTime = await stage.run(["sh", "-c", "sleep 600"], [], { env: { TRUEUP_TIMEOUT: "300" } });
    const byDefault = await stage.run(["sleep", "600"], [], { env });
    const overridden = await stage.run(["sh", "-c", "sleep 0.7; exit 5"], ["--timeout", "200"], { env });
    expect([ownTime.code, byDefault.code, overridden.code]).toEqual([124, 124, 5]);
    const refused = await stage.run(["true"], [], { env: { TRUEUP_TIMEOUT: "soon" } });
    expect(refused.code).toBe(125);
    expect(stage.records(session).map((record) => record.exit_code)).toEqual([null, null, 5]);
  });

  test("the same words, directory and tree again are a retry; after an edit they are not", async () => {
    const argv = ["sh", "-c", "exit 1"];
    await stage.run(argv);
    await stage.run(argv);
    writeFileSync(path.join(stage.workTree, "file.txt"), `edited ${Math.random()}\n`);
    await stage.run(argv);
    const [first, second, third] = stage.records(session);
    expect(first?.parent_command_id).toBeNull();
    expect(second?.parent_command_id).toBe(first?.command_id);
    expect(third?.parent_command_id).toBeNull();
    const named = await stage.run(["true"], ["--retry-of", first?.command_id ?? ""]);
    expect(named.code).toBe(0);
    expect(stage.records(session)[3]?.parent_command_id).toBe(first?.command_id);
    const unknown = await stage.run(["true"], ["--retry-of", "01900000-0000-7000-8000-000000000000"]);
    expect(unknown).toMatchObject({ code: 125 });
    expect(stage.records(session)).toHaveLength(4);
  });

  test("a command that changes the tree is named by its two fingerprints; ignored files do not count, unless base tracks them", async () => {
    writeFileSync(path.join(stage.workTree, ".gitignore"), "ignored\nfile.txt\n");
    await stage.run(["sh", "-c", "echo x > ignored"]);
    await stage.run(["sh", "-c", "echo x > new-file"]);
    await stage.run(["sh", "-c", "echo x >> file.txt"]);
    const changed = stage.records(session).map((record) => record.tree_before !== record.tree_after);
    expect(changed).toEqual([false, true, true]);
    expect(stage.records(session)[1]?.tree_before).toBe(stage.records(session)[0]?.tree_after);
    expect(stage.records(session)[0]?.tree_before).toMatch(/^sha256:[0-9a-f]{64}$/u);
    expect((await stage.trueup(["log"])).stdout.toString()).toContain("changed the tree");
  });

  test("the key agent and credentials that can publish are withheld; other variables are passed on", async () => {
    const env = {
      SSH_AUTH_SOCK: "/s",
      GITHUB_TOKEN: "t",
      GH_TOKEN: "t",
      GITLAB_TOKEN: "t",
      NPM_TOKEN: "t",
      KEPT: "yes",
    };
    const ended = await stage.run(["env"], [], { env: { ...env, TRUEUP_TOKEN_FILE: "/f" } });
    const names = ended.stdout
      .toString()
      .split("\n")
      .map((line) => line.split("=")[0]);
    expect(names).toContain("KEPT");
    for (const name of Object.keys(env).filter((one) => one !== "KEPT")) expect(names).not.toContain(name);
    expect(names).not.toContain("TRUEUP_TOKEN_FILE");
  });

  test("[A24] the list marks the latest failure, shows its last words, and draws retries under what they retry", async () => {
    await stage.run(["sh", "-c", "echo first-trouble >&2; exit 1"]);
    await stage.run(["sh", "-c", "echo second-trouble >&2; exit 2"]);
    await stage.run(["true"]);
    await stage.run(["sh", "-c", "echo first-trouble >&2; exit 1"]);
    const { stdout } = await stage.trueup(["log"]);
    const lines = stdout.toString().trimEnd().split("\n");
    const marked = lines.filter((line) => line.startsWith("> "));
    expect(marked).toHaveLength(1);
    expect(marked[0]).toMatch(/└─ .*exit 1.*first-trouble/u);
    expect(lines[lines.indexOf(marked[0] ?? "") + 1]).toMatch(/\| first-trouble$/u);
    const failed = await stage.trueup(["log", "--failed", "--json"]);
    const codes = failed.stdout
      .toString()
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as CommandRecord).exit_code);
    expect(codes).toEqual([1, 2, 1]);
    const status = await stage.trueup(["status", "--json"]);
    expect(JSON.parse(status.stdout.toString())).toMatchObject({
      records: 4,
      anchored: true,
      latest_failure: { command_id: stage.records(session)[3]?.command_id },
    });
    const one = await stage.trueup(["log", stage.records(session)[1]?.command_id ?? ""]);
    expect(one.stdout.toString()).toContain("second-trouble");
  });

  test("log --follow prints a record when it is written, and ends with Ctrl-C", async () => {
    const child = stage.start(["log", "--follow", "--json"]);
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
    await stage.run(["sh", "-c", "exit 6"]);
    await until(() => said.includes("\n"));
    child.kill("SIGINT");
    await new Promise((resolve) => child.on("close", resolve));
    expect(JSON.parse(said)).toMatchObject({ exit_code: 6 });
  });

  test("nothing of a command stands on the disk before its secrets are replaced: words, expectation, output, running service", async () => {
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ456789";
    const argv = ["sh", "-c", 'echo "$MY_API_TOKEN"; echo "$1" >&2; exit 1', "sh", secret];
    await stage.run(argv, ["--expect", `prints ${secret}`], { env: { MY_API_TOKEN: "canary-of-the-environment" } });
    const directory = stage.directoryOf(session);
    const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const all = files.map((entry) => readFileSync(path.join(entry.parentPath, entry.name), "latin1")).join("\n");
    expect(all).not.toContain(secret);
    expect(all).not.toContain("canary-of-the-environment");
    expect(onlyRecord()).toMatchObject({ exit_code: 1, stdout: { redactions: 1 }, stderr: { redactions: 1 } });
  });
});
