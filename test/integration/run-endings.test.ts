import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { CommandRecord } from "../../src/core/record/index.ts";
import type { Session } from "../../src/ports/index.ts";
import { endOf, isAlive, openSessionStage, pidIn, until, type SessionStage } from "./session-stage.ts";

describe("how a command of trueup run ends", () => {
  let stage: SessionStage;
  let session: Session;
  beforeAll(() => {
    stage = openSessionStage();
    writeFileSync(path.join(stage.workTree, "plain.txt"), "echo no\n", { mode: 0o644 });
    mkdirSync(path.join(stage.workTree, "directory"));
    writeFileSync(path.join(stage.workTree, "lost.sh"), "#!/no/such/interpreter\n", { mode: 0o755 });
    chmodSync(path.join(stage.workTree, "lost.sh"), 0o755);
  });
  afterAll(() => stage[Symbol.dispose]());
  beforeEach(async () => {
    session = await stage.open();
  });

  const onlyRecord = (): CommandRecord => {
    const [record, more] = stage.records(session);
    if (record === undefined || more !== undefined) throw new Error("there is not exactly one record");
    return record;
  };
  const file = (name: string): string => path.join(stage.root, name);

  test.each([
    { name: "not found", argv: ["no-such-command"], code: 127, kind: "not-found" },
    { name: "an empty name", argv: [""], code: 127, kind: "not-found" },
    { name: "a missing interpreter", argv: ["./lost.sh"], code: 127, kind: "not-found" },
    { name: "not executable", argv: ["./plain.txt"], code: 126, kind: "not-executable" },
    { name: "a directory", argv: ["./directory"], code: 126, kind: "not-executable" },
  ])("[A9] $name leaves a record without exit code, and the wrapper fails", async ({ argv, code, kind }) => {
    const ended = await stage.run(argv);
    expect(ended.code).toBe(code);
    expect(ended.stderr).toMatch(/^trueup: /u);
    expect(onlyRecord()).toMatchObject({ exit_code: null, error: { kind } });
  });

  test("[A9] words that are too long for the system leave a record too", () => {
    const program = path.join(import.meta.dirname, "..", "..", "bin", "trueup.js");
    const script = `exec "$0" "$1" run -- true "$(head -c 40000 /dev/zero | tr '\\0' '\\377')"`;
    const options = { cwd: stage.workTree, env: stage.environment, encoding: "utf8" } as const;
    const ended = spawnSync("bash", ["-c", script, process.execPath, program], options);
    expect(ended.status).toBe(125);
    expect(onlyRecord()).toMatchObject({ exit_code: null, error: { kind: "spawn", detail: "E2BIG" } });
  });

  test("[A9] a wrapper killed before the command ends leaves a record, and nothing of the command runs on", async () => {
    const pid = file("killed.pid");
    const child = stage.start(["run", "--", "sh", "-c", `echo $$ > '${pid}'; setsid sleep 600 & exec sleep 600`]);
    const end = endOf(child);
    await until(() => pidIn(pid) > 0);
    child.kill("SIGKILL");
    await end;
    expect(stage.records(session)).toEqual([]);
    await stage.run(["true"]);
    expect(stage.records(session)).toMatchObject([
      { exit_code: null, error: { kind: "runner-fault" }, argv: ["sh", "-c", expect.any(String)] },
      { exit_code: 0, argv: ["true"] },
    ]);
    expect(isAlive(pidIn(pid))).toBe(false);
    expect(readdirSync(path.join(stage.directoryOf(session), "started"))).toEqual([]);
  });

  test("[A10] a timeout is no exit code and no pass; what was said until then is kept", async () => {
    const ended = await stage.run(["sh", "-c", "echo partial; sleep 600; exit 0"], ["--timeout", "0.5"]);
    expect(ended).toMatchObject({ code: 124, stdout: Buffer.from("partial\n") });
    expect(onlyRecord()).toMatchObject({ exit_code: null, error: { kind: "timeout" }, stdout: { head: "partial\n" } });
  });

  test("[A10] a command that answers the timeout with exit 0 has still timed out", async () => {
    const script = 'trap "exit 0" TERM; echo ready; while :; do sleep 0.05; done';
    const ended = await stage.run(["sh", "-c", script], ["--timeout", "0.5"]);
    expect(ended.code).toBe(124);
    expect(onlyRecord()).toMatchObject({ exit_code: null, error: { kind: "timeout", signal: null } });
  });

  test("[A10] a command that ignores SIGTERM is killed", async () => {
    const ended = await stage.run(["sh", "-c", 'trap "" TERM; sleep 600 & sleep 600; sleep 600'], ["--timeout", "0.3"]);
    expect(ended.code).toBe(124);
    expect(onlyRecord()).toMatchObject({ error: { kind: "timeout", signal: "SIGKILL" } });
  });

  test.each([
    { signal: "SIGKILL", code: 137 },
    { signal: "SIGTERM", code: 143 },
    { signal: "SIGSEGV", code: 139 },
  ])("[A11] $signal is named and never 0", async ({ signal, code }) => {
    const ended = await stage.run(["sh", "-c", `kill -${signal.slice(3)} $$`]);
    expect(ended.code).toBe(code);
    expect(onlyRecord()).toMatchObject({ exit_code: null, error: { kind: "signal", signal } });
  });

  test.each([
    { name: "in the background", script: "sleep 600 & echo $! > PID; exit 0" },
    {
      name: "in a session of its own",
      script: "setsid sh -c 'echo $$ > PID; exec sleep 600' & while ! test -s PID; do :; done",
    },
    {
      name: "with its streams closed",
      script:
        "(setsid sh -c 'echo $$ > PID; exec sleep 600' </dev/null >/dev/null 2>&1 &); while ! test -s PID; do :; done",
    },
    {
      name: "ignoring SIGTERM and SIGHUP",
      script: "(trap '' TERM HUP; sh -c 'echo $$ > PID; exec sleep 600') & while ! test -s PID; do :; done",
    },
    {
      name: "without our mark, its parent still known",
      script: "(env -i sh -c 'echo $$ > PID; exec sleep 600') & while ! test -s PID; do :; done",
    },
  ])("[A12] no grandchild lives after the end: $name", async ({ name, script }) => {
    const pid = file(`${name.replaceAll(" ", "-")}.pid`);
    const ended = await stage.run(["sh", "-c", script.replaceAll("PID", pid)]);
    expect(pidIn(pid)).toBeGreaterThan(0);
    expect(isAlive(pidIn(pid))).toBe(false);
    expect(ended.code).toBe(0);
    expect(onlyRecord()).toMatchObject({ exit_code: 0, error: null });
  });

  test("[A12] a timeout reaches a grandchild in a session of its own", async () => {
    const pid = file("timed.pid");
    const script = `setsid sh -c 'echo $$ > ${pid}; exec sleep 600' & sleep 600`;
    await stage.run(["sh", "-c", script], ["--timeout", "1"]);
    expect(isAlive(pidIn(pid))).toBe(false);
    expect(onlyRecord()).toMatchObject({ error: { kind: "timeout" } });
  });

  test("[A13] no end without an exit code lets the wrapper, and so the caller's && and set -e, go on", async () => {
    const cases: readonly (readonly [readonly string[], readonly string[]])[] = [
      [["no-such-command"], []],
      [["./plain.txt"], []],
      [["sh", "-c", "kill -KILL $$"], []],
      [
        ["sleep", "600"],
        ["--timeout", "0.2"],
      ],
    ];
    const codes: (number | null)[] = [];
    for (const [argv, flags] of cases) codes.push((await stage.run(argv, flags)).code);
    const records = stage.records(session);
    expect(records.map((record) => record.exit_code)).toEqual([null, null, null, null]);
    for (const code of codes) expect(code).toBeGreaterThan(0);
  });

  test("Ctrl-C is passed on: the command sees it, the record names it, the wrapper exits 130", async () => {
    const script = 'trap "echo caught; exit 0" INT; echo ready; while :; do sleep 0.05; done';
    const child = stage.start(["run", "--", "sh", "-c", script]);
    const end = endOf(child);
    await new Promise((resolve) => child.stdout.once("data", resolve));
    child.kill("SIGINT");
    expect(await end).toMatchObject({ code: 130, signal: null, stdout: Buffer.from("ready\ncaught\n") });
    expect(onlyRecord()).toMatchObject({ exit_code: null, error: { kind: "signal", signal: "SIGINT" } });
  });

  test("a second Ctrl-C ends a command that ignores the first", async () => {
    const child = stage.start([
      "run",
      "--",
      "sh",
      "-c",
      'trap "echo no" INT; echo ready; while :; do sleep 0.05; done',
    ]);
    const end = endOf(child);
    await new Promise((resolve) => child.stdout.once("data", resolve));
    child.kill("SIGINT");
    await new Promise((resolve) => child.stdout.once("data", resolve));
    child.kill("SIGINT");
    expect((await end).code).toBe(130);
    expect(onlyRecord()).toMatchObject({ error: { kind: "signal", signal: "SIGINT" } });
  });

  test.each([
    { name: "no words", args: ["run"] },
    { name: "nothing after --", args: ["run", "--"] },
    { name: "no --", args: ["run", "true"] },
    { name: "an unknown option", args: ["run", "--quick", "--", "true"] },
    { name: "two lines of expectation", args: ["run", "--expect", "a\nb", "--", "true"] },
    { name: "a time that is none", args: ["run", "--timeout", "-1", "--", "true"] },
    { name: "a role that only the executor has", args: ["run", "--role", "proof", "--", "true"] },
  ])("$name is refused with 125 and the way out, and nothing runs", async ({ args }) => {
    const ended = await stage.trueup(args);
    expect(ended.code).toBe(125);
    expect(ended.stderr).toMatch(
      /^trueup: The command line is not understood .*\[usage\]\n {2}See `trueup run --help`\.\n$/u,
    );
    expect(stage.records(session)).toEqual([]);
  });
});
