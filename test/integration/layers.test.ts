import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bin, openStage, runProcess, type Ended, type Stage } from "./bad-input-stage.ts";
import { plainGit, writeFiles } from "./pipeline-stage.ts";

// One bad change: the source is broken and nobody ran its test. Each layer is asked with the ones before it switched off.

const files = {
  "package.json": '{"name":"one","type":"module","scripts":{"test":"node --test"}}',
  "src/one.mjs": "export const one = 1;\n",
  "test/one.test.mjs": `import assert from "node:assert";
import test from "node:test";
import { one } from "../src/one.mjs";
test("one is one", () => assert.equal(one, 1));\n`,
};

let stage: Stage;
let work: string;
let remote: string;
let env: Readonly<Record<string, string | undefined>>;

const trueup = (cwd: string, ...argv: readonly string[]): Ended => runProcess(argv, { cwd, env });
const git = (...args: readonly string[]): Ended => {
  const named = ["-c", "user.name=Ada", "-c", "user.email=ada@example.invalid", ...args];
  const { status, stdout, stderr } = spawnSync("git", named, { cwd: work, env: { ...env }, encoding: "utf8" });
  return { exit: status, stdout, stderr };
};

/** What a client gives its hook, as measured on the real ones; the session and turn are the agent's own. */
function hook(name: "stop" | "pre-tool", event: Readonly<Record<string, unknown>>, more = {}): unknown {
  const input = JSON.stringify({ session_id: "s", prompt_id: "p1", transcript_path: "/t", cwd: work, ...event });
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, "hook", "run", name, "--client", "claude"], {
    cwd: work,
    env: { ...env, ...more },
    input,
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
  return stdout === "" ? null : JSON.parse(stdout);
}
const stop = (more: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> => ({
  hook_event_name: "Stop",
  stop_hook_active: false,
  last_assistant_message: "Done. All tests pass.",
  ...more,
});
const tool = (tool_name: string, tool_input: unknown): Readonly<Record<string, unknown>> => ({
  hook_event_name: "PreToolUse",
  tool_name,
  tool_input,
  tool_use_id: "t1",
});

function succeed({ exit, stderr }: Ended): void {
  if (exit !== 0) throw new Error(`exit ${String(exit)}: ${stderr}`);
}

beforeAll(() => {
  stage = openStage();
  env = { ...stage.env, PATH: process.env["PATH"], CI: undefined };
  work = stage.repository("work", files);
  plainGit(stage.home, "clone", "-q", "--bare", "work", "remote.git");
  remote = stage.path("remote.git");
  plainGit(work, "remote", "add", "origin", remote);
  plainGit(work, "fetch", "-q", "origin");
  // The base gets what `init` proposes, then a branch is cut where work is done in a session.
  succeed(trueup(work, "init", "--yes"));
  plainGit(work, "add", "-A");
  plainGit(work, "commit", "-q", "-m", "trueup");
  plainGit(work, "push", "-q", "origin", "main");
  plainGit(work, "checkout", "-q", "-b", "change");
  succeed(trueup(work, "hook", "install", "--git", "--claude", "--user"));
  succeed(trueup(remote, "hook", "install"));
  succeed(trueup(work, "start"));
  writeFiles(work, { "src/one.mjs": "export const one = 2;\n" });
});
afterAll(() => stage[Symbol.dispose]());

describe("the same bad change, layer by layer", () => {
  test("[C13] 1. the agent's stop hook sends it back once with what is open, and never a second time", () => {
    const first = hook("stop", stop());
    expect(first).toMatchObject({ decision: "block", reason: expect.stringContaining("command-not-run") as string });
    // In the same turn, by our own memory and by the client's word.
    expect(hook("stop", stop())).toBeNull();
    expect(hook("stop", stop({ prompt_id: "p2", stop_hook_active: true }))).toBeNull();
    expect(hook("stop", stop({ prompt_id: "p3" }))).toMatchObject({ decision: "block" });
  });

  test("[C11] before a tool runs: protected files, our own records and ways around the layers are refused, work is not", () => {
    const denied = (event: Readonly<Record<string, unknown>>): string => {
      const answer = hook("pre-tool", event) as { hookSpecificOutput?: Record<string, string> } | null;
      const { permissionDecision: decision = "none", permissionDecisionReason: why = "" } =
        answer?.hookSpecificOutput ?? {};
      return `${decision} ${why}`;
    };
    for (const [name, input] of [
      ["Write", { file_path: path.join(work, ".trueup/contract.json"), content: "{}" }],
      ["Edit", { file_path: path.join(work, ".github/workflows/ci.yml") }],
      ["Write", { file_path: path.join(stage.state, "sessions/x/records.jsonl") }],
      ["Bash", { command: "git commit --no-verify -qm done" }],
      ["Bash", { command: "echo '{}' > .trueup/config.json" }],
      ["Bash", { command: "npx trueup override add outside-scope" }],
    ] as const)
      expect([name, input, denied(tool(name, input))]).toEqual([
        name,
        input,
        expect.stringMatching(/^deny trueup: ./u),
      ]);
    expect(denied(tool("Edit", { file_path: path.join(work, "src/one.mjs") }))).toBe("none ");
    expect(denied(tool("Bash", { command: "npx trueup run -- node --test" }))).toBe("none ");
  });

  test("[C10] 2. stop hook off: the commit is stopped by pre-commit", () => {
    expect(hook("stop", stop({ prompt_id: "p4" }), { TRUEUP_HOOK: "off" })).toBeNull();
    const committed = git("commit", "-qam", "done");
    expect([committed.exit, committed.stderr]).toEqual([1, expect.stringContaining("command-not-run")]);
  });

  test("[C10] 3. `commit --no-verify`: the push is stopped by pre-push, which runs the tests", () => {
    expect(git("commit", "--no-verify", "-qam", "done").exit).toBe(0);
    const pushed = git("push", "-q", "origin", "change");
    expect([pushed.exit, pushed.stderr]).toEqual([1, expect.stringContaining("test-regressed")]);
    expect(plainGit(remote, "branch", "--list", "change")).toBe("");
  });

  test("[C10] 4. `push --no-verify`: a repository that judges what it receives does not take it", () => {
    const pushed = git("push", "-q", "--no-verify", "origin", "change");
    expect([pushed.exit, pushed.stderr]).toEqual([1, expect.stringContaining("test-regressed")]);
    // Whoever pushes cannot switch that off.
    spawnSync("env", ["TRUEUP_HOOK=off", "git", "push", "-q", "--no-verify", "origin", "change"], { cwd: work });
    expect(plainGit(remote, "branch", "--list", "change")).toBe("");
  });

  test("[C10] 5. a remote without that hook: the job of CI is red", () => {
    expect(trueup(remote, "hook", "uninstall").exit).toBe(0);
    expect(git("push", "-q", "--no-verify", "origin", "change").exit).toBe(0);
    const job = stage.path("job");
    plainGit(stage.home, "clone", "-q", "-b", "change", "remote.git", "job");
    const head = plainGit(job, "rev-parse", "HEAD").trim();
    const judged = trueup(job, "ci", "--base", "origin/main", "--head", head, "--author", "agent");
    expect([judged.exit, judged.stdout, judged.stderr]).toEqual([
      1,
      expect.stringContaining("test-regressed"),
      expect.anything(),
    ]);
  });
});

describe("a layer that is installed and does not answer", () => {
  const doctor = (cwd: string): readonly { layer: string; state: string }[] => {
    const { stdout } = trueup(cwd, "doctor", "--json");
    return (JSON.parse(stdout) as { layers: { layer: string; state: string }[] }).layers;
  };
  const stateOf = (layer: string): string | undefined => doctor(work).find((one) => one.layer === layer)?.state;

  test("doctor fires each layer and says which answered", () => {
    expect(doctor(work).map(({ layer, state }) => `${layer} ${state}`)).toEqual([
      "pre-commit answered",
      "pre-push answered",
      "claude stop answered",
      "claude pre-tool answered",
    ]);
    expect(doctor(remote)).toMatchObject([{ layer: "pre-receive", state: "absent" }]);
  });

  test("one whose program is gone is silent, and doctor does not end with 0", () => {
    const file = path.join(work, ".git/hooks/pre-push");
    const sound = readFileSync(file, "utf8");
    writeFileSync(file, sound.replace(/^program=.*$/mu, "program=/gone/trueup.js"));
    expect([stateOf("pre-push"), trueup(work, "doctor").exit]).toEqual(["silent", 2]);
    // One that only says what it was told to say is not us: the question is new each time.
    const settings = path.join(stage.home, "home/.claude/settings.json");
    const before = readFileSync(settings, "utf8");
    writeFileSync(
      settings,
      before.replace(
        /"command": "[^"]*hook run stop/u,
        '"command": "echo trueup-hook-answer stop; true trueup hook run stop',
      ),
    );
    expect(stateOf("claude stop")).toBe("silent");
    writeFileSync(settings, before);
    writeFileSync(file, sound);
  });

  test("hook-missing-and-silent: an agent's hook that never fired in the session is told by the gate", () => {
    expect(trueup(work, "start").exit).toBe(0);
    expect(trueup(work, "gate").stdout).toContain("hook-never-fired");
    hook("stop", stop({ prompt_id: "p9" }));
    expect(trueup(work, "gate").stdout).not.toContain("hook-never-fired");
  });
});
