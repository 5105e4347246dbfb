import { execFile } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createRecordLog } from "../../src/adapters/record-log/files/record-log.ts";
import type { CommandRecord, RecordDraft } from "../../src/core/record/index.ts";
import { makeRecord } from "../fixtures/record-builders.ts";

const run = promisify(execFile);
const writer = path.join(import.meta.dirname, "record-log-writer.ts");

function freshDirectory(): string {
  return mkdtempSync(path.join(os.tmpdir(), "trueup-log-"));
}

function draft(order: number, overrides: Partial<CommandRecord> = {}): RecordDraft {
  const { prev: _prev, digest: _digest, ...rest } = makeRecord(order, overrides);
  return rest;
}

async function filled(count: number, text = ""): Promise<string> {
  const directory = freshDirectory();
  const log = createRecordLog({ directory });
  const stdout = { head: text, tail: "", omitted_lines: 0, omitted_bytes: 0, redactions: 0 };
  for (let order = 0; order < count; order++) await log.append(draft(order, { stdout }));
  return directory;
}

const kinds = async (directory: string): Promise<readonly string[]> =>
  (await createRecordLog({ directory }).readAll()).faults.map((fault) => fault.kind);

test("[A19] thirty processes write at once: every record is there, and the chain is whole and anchored", async () => {
  const directory = freshDirectory();
  const names = Array.from({ length: 30 }, (_, index) => `writer-${index}`);
  await Promise.all(names.map((name) => run(process.execPath, [writer, directory, name, "2"])));
  const { records, faults, anchored } = await createRecordLog({ directory }).readAll();
  expect([...new Set(records.map((record) => record.command_id))]).toHaveLength(60);
  expect({ count: records.length, faults, anchored }).toEqual({ count: 60, faults: [], anchored: true });
});

test("[A18] full files are set aside whole and all of them are read, oldest first", async () => {
  const directory = await filled(30, "x".repeat(100_000));
  const { records, faults, anchored } = await createRecordLog({ directory }).readAll();
  expect(statSync(path.join(directory, "records.2.jsonl")).size).toBeGreaterThan(1024 * 1024);
  expect(records.map((record) => record.command_id)).toEqual(records.map((_, order) => makeRecord(order).command_id));
  expect({ count: records.length, faults, anchored }).toEqual({ count: 30, faults: [], anchored: true });
});

test("[A20] a reader of the newest is bounded, also across files", async () => {
  const log = createRecordLog({ directory: await filled(12, "x".repeat(200_000)) });
  expect((await log.readNewest(3)).map((record) => record.command_id)).toEqual(
    [9, 10, 11].map((order) => makeRecord(order).command_id),
  );
  expect(await log.readNewest(0)).toEqual([]);
  expect(await log.readNewest(100)).toHaveLength(12);
});

test("[A18] a full file that was deleted is missed, and so is the chain through it", async () => {
  const directory = await filled(30, "x".repeat(100_000));
  rmSync(path.join(directory, "records.1.jsonl"));
  expect(await kinds(directory)).toEqual(["missing-file", "broken-chain", "anchor-differs"]);
});

test("[A22] a log cut at any record, or its last record deleted, is not what the anchor names", async () => {
  const directory = await filled(3);
  const file = path.join(directory, "records.jsonl");
  const text = readFileSync(file, "utf8");
  for (const kept of [0, 1, 2]) {
    writeFileSync(
      file,
      text
        .split("\n")
        .slice(0, kept)
        .map((line) => `${line}\n`)
        .join(""),
    );
    const reading = await createRecordLog({ directory }).readAll();
    expect([kept, reading.faults.map((fault) => fault.kind), reading.anchored]).toEqual([
      kept,
      ["anchor-differs"],
      false,
    ]);
  }
});

test("[A22] an edited, a swapped and a doubled record break the chain", async () => {
  const directory = await filled(3);
  const file = path.join(directory, "records.jsonl");
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  const [one = "", two = "", three = ""] = lines;
  for (const bad of [
    [one, two.replace('"exit_code":0', '"exit_code":1'), three],
    [two, one, three],
    [one, two, two, three],
  ]) {
    writeFileSync(file, bad.map((line) => `${line}\n`).join(""));
    expect(await kinds(directory)).toContain("broken-chain");
  }
});

test("[A19] a torn last line is a fault for a reader; the next writer takes it away, since nobody was told of it", async () => {
  const directory = await filled(2);
  appendFileSync(path.join(directory, "records.jsonl"), '{"version":1,"argv":["half');
  expect(await kinds(directory)).toEqual(["torn-line"]);
  await createRecordLog({ directory }).append(draft(2));
  expect(await createRecordLog({ directory }).readAll()).toMatchObject({ faults: [], anchored: true });
});

test("a record written by a process that died before its anchor is kept, and the chain goes on from it", async () => {
  const directory = await filled(1);
  const anchor = readFileSync(path.join(directory, "anchor"));
  await createRecordLog({ directory }).append(draft(1));
  writeFileSync(path.join(directory, "anchor"), anchor);
  await createRecordLog({ directory }).append(draft(2));
  const { records, faults } = await createRecordLog({ directory }).readAll();
  expect([records.length, faults]).toEqual([3, []]);
});

test("nothing is added to a log whose end is missing or whose anchor is gone: a fault is never written over", async () => {
  const cut = await filled(2);
  truncateSync(path.join(cut, "records.jsonl"), 10);
  await expect(createRecordLog({ directory: cut }).append(draft(9))).rejects.toMatchObject({ code: "session-damaged" });
  const loose = await filled(2);
  rmSync(path.join(loose, "anchor"));
  await expect(createRecordLog({ directory: loose }).append(draft(9))).rejects.toMatchObject({
    code: "session-damaged",
  });
  expect((await createRecordLog({ directory: loose }).readAll()).anchored).toBe(false);
});

test("a log of a newer version is read as a fault, never skipped", async () => {
  const directory = await filled(1);
  appendFileSync(path.join(directory, "records.jsonl"), '{"version":2}\n');
  expect(await kinds(directory)).toEqual(["unknown-version"]);
});

test("a lock left by a process that is gone is taken over", async () => {
  const directory = await filled(1);
  const child = execFile("true");
  const pid = child.pid ?? 0;
  await new Promise((resolve) => child.on("exit", resolve));
  writeFileSync(path.join(directory, "records.lock"), `${pid} 1`);
  await createRecordLog({ directory }).append(draft(1));
  expect(await kinds(directory)).toEqual([]);
});
