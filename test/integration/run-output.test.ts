import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { CommandRecord } from "../../src/core/record/index.ts";
import type { Session } from "../../src/ports/index.ts";
import { endOf, openSessionStage, until, type SessionStage } from "./session-stage.ts";

const program = path.join(import.meta.dirname, "..", "..", "bin", "trueup.js");

describe("what passes through trueup run", () => {
  let stage: SessionStage;
  let session: Session;
  beforeAll(() => {
    stage = openSessionStage();
  });
  afterAll(() => stage[Symbol.dispose]());
  beforeEach(async () => {
    session = await stage.open();
  });

  const lastRecord = (): CommandRecord => {
    const record = stage.records(session).at(-1);
    if (record === undefined) throw new Error("there is no record");
    return record;
  };
  /** `trueup run` as a word of a shell script: `TRUEUP run -- ...`. */
  const shell = (script: string) =>
    spawnSync("bash", ["-c", script.replaceAll("TRUEUP", `'${process.execPath}' '${program}'`)], {
      cwd: stage.workTree,
      env: stage.environment,
      encoding: "utf8",
    });

  test("every byte of binary output passes unchanged", async () => {
    const script =
      "for (let i = 0; i < 400; i++) process.stdout.write(Buffer.from(Array.from({ length: 997 }, (_, j) => (i * j) % 256)))";
    const argv = [process.execPath, "-e", script];
    const plain = execFileSync(argv[0] ?? "", argv.slice(1));
    const { stdout } = await stage.run(argv);
    expect(stdout.equals(plain)).toBe(true);
    expect(lastRecord().stdout.omitted_bytes).toBeGreaterThan(0);
  });

  test("[A6] 50 MB in one line pass unchanged and leave a small record", async () => {
    const { stdout } = await stage.run(["sh", "-c", "head -c 50000000 /dev/zero | tr '\\0' x; echo END"]);
    expect(stdout.length).toBe(50_000_004);
    expect(createHash("sha256").update(stdout.subarray(0, 50_000_000)).digest("hex")).toBe(
      createHash("sha256").update(Buffer.alloc(50_000_000, "x")).digest("hex"),
    );
    expect(JSON.stringify(lastRecord()).length).toBeLessThan(128 * 1024);
    expect(lastRecord().stdout.tail.endsWith("xEND\n")).toBe(true);
  });

  test("standard input reaches the command", async () => {
    const { stdout } = await stage.run(["cat"], [], { input: "from outside\n" });
    expect(stdout.toString()).toBe("from outside\n");
  });

  test("closed standard streams keep nothing from being recorded", () => {
    expect(shell("TRUEUP run -- cat <&-").status).toBe(0);
    expect(lastRecord()).toMatchObject({ argv: ["cat"], exit_code: 0 });
    expect(shell("TRUEUP run -- sh -c 'echo unseen; exit 3' >&-").status).toBe(3);
    expect(lastRecord()).toMatchObject({ exit_code: 3, stdout: { head: "unseen\n" } });
  });

  test("/dev/stdout and /dev/stderr can be opened, as on a plain pipe", async () => {
    const ended = await stage.run(["sh", "-c", "echo a > /dev/stdout; echo b > /dev/stderr"]);
    expect(ended).toMatchObject({ code: 0, stdout: Buffer.from("a\n"), stderr: "b\n" });
  });

  test("a reader that goes away (| head) does not disturb the command: its own exit code is recorded", () => {
    const script = "for i in 1 2 3 4 5 6 7 8; do echo line $i; sleep 0.05; done; exit 7";
    const ended = shell(`TRUEUP run -- sh -c '${script}' | head -n 1; echo "\${PIPESTATUS[0]}"`);
    expect(ended.stdout).toBe("line 1\n7\n");
    expect(lastRecord()).toMatchObject({ exit_code: 7, stdout: { head: expect.stringContaining("line 8") } });
  });

  test("endless output behind a reader that went away ends, as it would on a plain pipe", () => {
    expect(shell("TRUEUP run -- yes | head -n 1").stdout).toBe("y\n");
    expect(lastRecord()).toMatchObject({ exit_code: null, error: { kind: "signal", signal: "SIGPIPE" } });
  });

  test("output that cannot be written is said to be lost, and the record is whole", () => {
    const ended = shell("TRUEUP run -- echo gone > /dev/full");
    expect(ended.status).toBe(125);
    expect(ended.stderr).toContain("ENOSPC");
    expect(lastRecord()).toMatchObject({ exit_code: 0, stdout: { head: "gone\n" } });
  });

  test("what a grandchild says after the command's end is passed on and recorded", async () => {
    const { stdout } = await stage.run(["bash", "-c", "echo first; echo late > >(sleep 0.2; cat)"]);
    expect(stdout.toString()).toBe("first\nlate\n");
    expect(lastRecord()).toMatchObject({ exit_code: 0, stdout: { head: "first\nlate\n" } });
  });

  test("a slow reader holds the command back instead of filling memory", async () => {
    const script =
      "const chunk = Buffer.alloc(65536); let sent = 0; const go = () => { while (process.stdout.write(chunk)) sent++; process.stderr.write(`${sent}\\n`); process.stdout.once('drain', go); }; go(); setTimeout(() => process.exit(0), 1500)";
    const child = stage.start(["run", "--", process.execPath, "-e", script]);
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
    // Nobody reads standard output until the command has noticed.
    await until(() => said.includes("\n"));
    expect(Number(said.split("\n")[0])).toBeLessThan(1000);
    expect((await endOf(child)).code).toBe(0);
    expect(lastRecord().exit_code).toBe(0);
  });

  test("a timeout fires while nobody reads the output", async () => {
    const child = stage.start(["run", "--timeout", "0.5", "--", "yes"]);
    await until(() => stage.records(session).length === 1);
    expect((await endOf(child)).code).toBe(124);
  });
});
