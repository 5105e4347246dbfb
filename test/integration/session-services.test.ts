import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isAlive, openSessionStage, pidIn, program, until, type SessionStage } from "./session-stage.ts";

describe("commands that trueup run leaves in the background", () => {
  let stage: SessionStage;
  beforeAll(() => {
    stage = openSessionStage();
  });
  afterAll(() => stage[Symbol.dispose]());

  const serve = (pid: string): readonly string[] => ["sh", "-c", `echo $$ > ${pid}; echo listening; exec sleep 600`];

  test("a service runs on, is shown, can be read along, and has its record when it is stopped", async () => {
    const session = await stage.open();
    const pid = path.join(stage.root, "stopped.pid");
    const ended = await stage.run(serve(pid), ["--background", "--expect", "serves"]);
    const id = ended.stdout.toString().trim();
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    await until(() => pidIn(pid) > 0);
    const status = await stage.trueup(["status", "--json"]);
    expect(JSON.parse(status.stdout.toString())).toMatchObject({
      records: 0,
      running: [{ command_id: id, role: "service" }],
    });
    const output = path.join(stage.directoryOf(session), "services", `${id}.stdout`);
    await until(() => readdirSync(path.dirname(output)).length > 0 && readFileSync(output, "utf8") === "listening\n");
    expect(await stage.trueup(["run", "--stop", id])).toMatchObject({ code: 0 });
    expect(isAlive(pidIn(pid))).toBe(false);
    expect(stage.records(session)).toMatchObject([
      {
        command_id: id,
        role: "service",
        exit_code: null,
        error: { kind: "signal", signal: "SIGTERM" },
        expectation: "serves",
      },
    ]);
    expect(await stage.trueup(["run", "--stop", id])).toMatchObject({ code: 125 });
  });

  test("a service ends with its session, and its record stands in that session's log", async () => {
    const session = await stage.open();
    const pid = path.join(stage.root, "closed.pid");
    await stage.run(serve(pid), ["--background"]);
    await until(() => pidIn(pid) > 0);
    expect(await stage.trueup(["start"])).toMatchObject({ code: 0 });
    expect(isAlive(pidIn(pid))).toBe(false);
    expect(stage.records(session)).toMatchObject([{ role: "service", exit_code: null }]);
  });

  test("Ctrl-C in the terminal that started a service does not reach it, nor its keeper", async () => {
    const session = await stage.open();
    const pid = path.join(stage.root, "interrupted.pid");
    const starter = `trap 'exit 130' INT; "$0" "$1" run --background -- sh -c 'echo $$ > ${pid}; exec sleep 600'; echo started; while :; do sleep 0.05; done`;
    const terminal = spawn("sh", ["-c", starter, process.execPath, program], {
      cwd: stage.workTree,
      env: stage.environment,
      detached: true,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    terminal.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
    const ended = new Promise<number | null>((resolve) => terminal.on("exit", (code) => resolve(code)));
    await until(() => pidIn(pid) > 0 && said.endsWith("started\n"));
    process.kill(-(terminal.pid ?? Number.NaN), "SIGINT");
    expect(await ended).toBe(130);
    expect(isAlive(pidIn(pid))).toBe(true);
    expect(stage.records(session)).toEqual([]);
    expect(await stage.trueup(["run", "--stop", said.split("\n")[0] ?? ""])).toMatchObject({ code: 0 });
    expect(stage.records(session)).toMatchObject([{ role: "service", error: { kind: "signal", signal: "SIGTERM" } }]);
  });

  test("a service whose keeper was killed has its record at the next look, and runs no longer", async () => {
    const session = await stage.open();
    const pid = path.join(stage.root, "killed.pid");
    await stage.run(serve(pid), ["--background"]);
    await until(() => pidIn(pid) > 0);
    const [name = ""] = readdirSync(path.join(stage.directoryOf(session), "started"));
    process.kill(Number(/\.(\d+)-/u.exec(name)?.[1]), "SIGKILL");
    await until(() => !isAlive(Number(/\.(\d+)-/u.exec(name)?.[1])));
    await stage.trueup(["status"]);
    expect(stage.records(session)).toMatchObject([
      { role: "service", exit_code: null, error: { kind: "runner-fault" } },
    ]);
    expect(isAlive(pidIn(pid))).toBe(false);
  });

  test("a service that cannot start says so at once; one that ends by itself has its exit code", async () => {
    const session = await stage.open();
    expect(await stage.run(["no-such-server"], ["--background"])).toMatchObject({ code: 127, stdout: Buffer.alloc(0) });
    expect(stage.records(session)).toMatchObject([{ exit_code: null, error: { kind: "not-found" } }]);
    expect(await stage.run(["sh", "-c", "exit 9"], ["--background"])).toMatchObject({ code: 0 });
    await until(() => stage.records(session).length === 2);
    expect(stage.records(session)[1]).toMatchObject({ role: "service", exit_code: 9, error: null });
  });

  test("a secret that a service prints is nowhere on the disk while it runs, also across two writes", async () => {
    const session = await stage.open();
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ456789";
    const script = `printf '%s' "\${1%456789}"; sleep 0.6; echo 456789; echo done; exec sleep 600`;
    const ended = await stage.run(["sh", "-c", script, "sh", secret], ["--background"]);
    const output = path.join(stage.directoryOf(session), "services", `${ended.stdout.toString().trim()}.stdout`);
    await until(() => readdirSync(path.dirname(output)).length > 0 && readFileSync(output, "utf8").includes("done"));
    expect(readFileSync(output, "utf8")).not.toContain("ghp_0123456789");
    await stage.trueup(["run", "--stop", ended.stdout.toString().trim()]);
  });
});
