import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEvidenceFiles } from "./evidence-files.ts";
import { openReportPipe } from "./report-pipe.ts";

const shell = (script: string, argument: string): Promise<unknown> =>
  promisify(execFile)("/bin/sh", ["-c", script, "sh", argument]);

describe("the report's pipe", () => {
  let scratchDirectory: string;
  beforeAll(async () => {
    scratchDirectory = await mkdtemp(path.join(tmpdir(), "trueup-evidence-"));
  });
  afterAll(() => rm(scratchDirectory, { recursive: true, force: true }));

  it("gives what writers wrote, in order, and leaves nothing behind", async () => {
    const pipe = await openReportPipe({ scratchDirectory, byteLimit: 1_000_000 });
    await shell('head -c 300000 /dev/zero > "$1"; printf end > "$1"', pipe.hostPath);
    const result = await pipe.finish();
    expect(result?.bytes.length).toBe(300_003);
    expect(Buffer.from(result?.bytes ?? []).toString("utf8", 300_000)).toBe("end");
    expect(result?.truncated).toBe(false);
    expect(await readdir(scratchDirectory)).toEqual([]);
  });

  it("gives null when nobody wrote", async () => {
    const pipe = await openReportPipe({ scratchDirectory, byteLimit: 10 });
    expect(await pipe.finish()).toBeNull();
  });

  it("says that the limit was passed, keeps no more, and lets the writer go on", async () => {
    const pipe = await openReportPipe({ scratchDirectory, byteLimit: 100_000 });
    await shell('head -c 5000000 /dev/zero > "$1"', pipe.hostPath);
    const result = await pipe.finish();
    expect(result?.truncated).toBe(true);
    expect(result?.bytes.length).toBeLessThanOrEqual(100_000);
  });

  it("finishes when its name was replaced by a link meanwhile", async () => {
    const pipe = await openReportPipe({ scratchDirectory, byteLimit: 10 });
    await shell('rm "$1"; ln -s /etc/passwd "$1"', pipe.hostPath);
    expect(await pipe.finish()).toBeNull();
  });
});

describe("the witness's files", () => {
  it("lie where they are said to lie, and have one digest", async () => {
    const evidence = createEvidenceFiles({ scratchDirectory: tmpdir() });
    expect(existsSync(path.join(evidence.witnessDirectory, "pre.cjs"))).toBe(true);
    expect(await evidence.witnessDigest()).toMatch(/^sha256:[0-9a-f]{64}$/u);
    expect(await evidence.witnessDigest()).toBe(await evidence.witnessDigest());
  });
});
