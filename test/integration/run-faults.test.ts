import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createNodeProcessRunner } from "../../src/adapters/process-runner/node/node-process-runner.ts";
import { createRecordLog } from "../../src/adapters/record-log/files/record-log.ts";
import { createStartedRuns } from "../../src/adapters/session-store/files/started-runs.ts";
import { runCommandLine, type RunRequest } from "../../src/app/run-command-line/run-command-line.ts";
import { standardRedactionRules } from "../../src/core/record/index.ts";
import type { Session } from "../../src/ports/index.ts";
import { openSessionStage, type SessionStage } from "./session-stage.ts";

const program = path.join(import.meta.dirname, "..", "..", "bin", "trueup.js");
const taken = { write: () => "more" as const };

describe("trueup run when the machine fails", () => {
  let stage: SessionStage;
  let session: Session;
  beforeAll(() => {
    stage = openSessionStage();
  });
  afterAll(() => stage[Symbol.dispose]());
  beforeEach(async () => {
    session = await stage.open();
  });

  /** A shell in a mount namespace of its own, with the session's directory on a small file system of its own. */
  const withSmallDisk = (options: { readonly kilobytes: number; readonly script: string }): string => {
    const directory = stage.directoryOf(session);
    const copy = `${directory}.copy`;
    const script = [
      `cp -a ${directory} ${copy}`,
      `mount -t tmpfs -o size=${options.kilobytes}k,mode=700 tmpfs ${directory}`,
      `cp -a ${copy}/. ${directory}/`,
      options.script.replaceAll("TRUEUP", `'${process.execPath}' '${program}'`).replaceAll("DIRECTORY", directory),
    ].join("\n");
    const mapped = process.getuid?.() === 0 ? [] : ["--map-root-user"];
    return execFileSync("unshare", ["--mount", ...mapped, "bash", "-c", script], {
      cwd: stage.workTree,
      env: stage.environment,
      encoding: "utf8",
    });
  };

  test("on a full disk the command never starts: 125, and the disk is named", () => {
    const marker = path.join(stage.root, "ran-full");
    const said = withSmallDisk({ kilobytes: 256, script: `TRUEUP run -- touch ${marker} 2>&1; echo "code $?"` });
    expect(said).toContain("[disk-full]");
    expect(said).toContain("code 125");
    expect(existsSync(marker)).toBe(false);
  });

  test("a disk that fills up while the command runs still takes its record: the room was kept", () => {
    const fill = "head -c 100000000 /dev/zero > DIRECTORY/filler; exit 3";
    const script = `TRUEUP run -- sh -c '${fill}' 2>/dev/null; echo "code $?"; cat DIRECTORY/records.jsonl`;
    const [code, line = ""] = withSmallDisk({ kilobytes: 1024, script }).split("\n");
    expect(code).toBe("code 3");
    expect(JSON.parse(line)).toMatchObject({ exit_code: 3, error: null });
  });

  test("on a read-only disk the command never starts", () => {
    const marker = path.join(stage.root, "ran-read-only");
    const script = `mount -o remount,ro DIRECTORY; TRUEUP run -- touch ${marker} 2>&1; echo "code $?"`;
    const said = withSmallDisk({ kilobytes: 4096, script });
    expect(said).toContain("[state-unwritable]");
    expect(said).toContain("code 125");
    expect(existsSync(marker)).toBe(false);
  });

  test.each<[string, (directory: string) => void]>([
    ["its end is cut", (directory) => writeFileSync(path.join(directory, "records.jsonl"), "")],
    ["its anchor is gone", (directory) => rmSync(path.join(directory, "anchor"))],
    ["its anchor is of a later version", (directory) => writeFileSync(path.join(directory, "anchor"), '{"version":2}')],
    [
      "a foreign line stands behind its end",
      (directory) => appendFileSync(path.join(directory, "records.jsonl"), '{"version":1}\n'),
    ],
    [
      "its newest record was edited in place",
      (directory) => {
        const file = path.join(directory, "records.jsonl");
        writeFileSync(file, readFileSync(file, "utf8").replace('"exit_code":0', '"exit_code":1'));
      },
    ],
    [
      "its newest record is of a later version",
      (directory) => {
        const file = path.join(directory, "records.jsonl");
        writeFileSync(file, readFileSync(file, "utf8").replace('"version":1', '"version":2'));
      },
    ],
    [
      "a file that was set aside is gone",
      (directory) => {
        const anchor = path.join(directory, "anchor");
        writeFileSync(anchor, readFileSync(anchor, "utf8").replace('"rotated":0', '"rotated":1'));
      },
    ],
  ])("a log is not gone on with when %s: the command never starts, and it is said what to do", async (_how, damage) => {
    const marker = path.join(stage.root, "ran-damaged");
    await stage.run(["true"]);
    damage(stage.directoryOf(session));
    const ended = await stage.run(["touch", marker]);
    expect([ended.code, ended.stderr.toString()]).toEqual([125, expect.stringContaining("[session-damaged]")]);
    expect(ended.stderr.toString()).toContain("trueup start");
    expect(existsSync(marker)).toBe(false);
  });

  test("a clock that is set back while a command runs gives no negative duration, and the order of records stays", async () => {
    const directory = stage.directoryOf(session);
    let now = Date.parse("2030-01-01T00:00:00Z");
    let ids = 0;
    const request: RunRequest = {
      session,
      argv: [Buffer.from("true")],
      cwd: stage.workTree,
      environment: stage.environment,
      rules: standardRedactionRules([]),
      expectation: null,
      retryOf: null,
      timeoutMs: null,
      defaultTimeoutMs: null,
      role: null,
      open: () => ({ stdout: taken, stderr: taken }),
    };
    const ports = {
      log: createRecordLog({ directory }),
      started: createStartedRuns(directory),
      runner: createNodeProcessRunner(),
      watch: { fingerprint: () => Promise.resolve(null) },
      clock: { now: () => (now -= 86_400_000), monotonic: () => performance.now() },
      ids: { next: () => `01900000-0000-7000-8000-00000000000${(ids += 1)}` },
    };
    await runCommandLine(request, ports);
    await runCommandLine(request, ports);
    const records = stage.records(session);
    expect(records.map((record) => record.started_at)).toEqual([
      "2029-12-31T00:00:00.000Z",
      "2029-12-30T00:00:00.000Z",
    ]);
    for (const record of records) expect(record.duration_ms).toBeGreaterThanOrEqual(0);
    expect(records[1]?.prev).toBe(records[0]?.digest);
    expect(records[0]).toMatchObject({ tree_before: null, tree_after: null });
  });

  test("thirty commands at once: every record is there, and the chain is whole", async () => {
    mkdirSync(path.join(stage.workTree, "many"), { recursive: true });
    const script = Array.from({ length: 30 }, (_, index) => `TRUEUP run -- sh -c 'exit ${index}' &`).join("\n");
    const words = script.replaceAll("TRUEUP", `'${process.execPath}' '${program}'`);
    execFileSync("bash", ["-c", `${words}\nwait`], { cwd: stage.workTree, env: stage.environment });
    const codes = stage.records(session).map((record) => record.exit_code);
    expect(codes.toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual(Array.from({ length: 30 }, (_, index) => index));
    const reading = await createRecordLog({ directory: stage.directoryOf(session) }).readAll();
    expect(reading).toMatchObject({ faults: [], anchored: true });
  });
});
