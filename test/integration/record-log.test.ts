import { execFile } from "node:child_process";
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createRecordLog } from "../../src/adapters/record-log/files/record-log.ts";
import { isDead, readOwnIdentity } from "../../src/adapters/record-log/files/process-identity.ts";
import { retryChains, type CommandRecord, type RecordDraft } from "../../src/core/record/index.ts";
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
  const sizes = [1, 2].map((number) => statSync(path.join(directory, `records.${number}.jsonl`)).size);
  for (const size of sizes) expect(size > 900_000 && size <= 1024 * 1024).toBe(true);
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

/** What a process that was killed while it wrote leaves behind. */
function deadClaim(directory: string, name: string): string {
  const own = JSON.parse(readFileSync(path.join(directory, "identity"), "utf8")) as object;
  return JSON.stringify({ ...own, started: "1", name });
}

test("[A19] a lock left by a killed process is taken over, also when its heir was killed too, by one of many", async () => {
  const directory = await filled(1);
  writeFileSync(path.join(directory, "identity"), JSON.stringify(readOwnIdentity()));
  for (const heirs of [0, 1, 2]) {
    writeFileSync(path.join(directory, "records.lock"), deadClaim(directory, "dead"));
    const chain = ["dead", "heir-1", "heir-2"].slice(0, heirs);
    chain.forEach((name, index) =>
      writeFileSync(path.join(directory, `.${name}.heir`), deadClaim(directory, `heir-${index + 1}`)),
    );
    const log = createRecordLog({ directory });
    await Promise.all(Array.from({ length: 8 }, (_, index) => log.append(draft(100 * (heirs + 1) + index))));
    const { records, faults, anchored } = await log.readAll();
    expect([records.length, faults, anchored]).toEqual([1 + 8 * (heirs + 1), [], true]);
    expect(readdirSync(directory).filter((name) => name.startsWith("."))).toEqual([]);
  }
});

test("a lock whose holder cannot be looked at is never broken", () => {
  const own = readOwnIdentity();
  expect(isDead({ ...own, host: "elsewhere", started: "1" }, own)).toBe(false);
  expect(isDead({ ...own, namespace: "pid:[1]", started: "1" }, own)).toBe(false);
  expect(isDead({ ...own, boot: "an earlier boot" }, own)).toBe(true);
  expect(isDead({ ...own, started: "1" }, own)).toBe(true);
  expect(isDead(own, own)).toBe(false);
});

test("[A18] a file that was set aside by a process that died before the anchor is counted", async () => {
  const directory = await filled(3);
  renameSync(path.join(directory, "records.jsonl"), path.join(directory, "records.1.jsonl"));
  expect(await createRecordLog({ directory }).readAll()).toMatchObject({ faults: [], anchored: true });
  await createRecordLog({ directory }).append(draft(3));
  const { records, faults, anchored } = await createRecordLog({ directory }).readAll();
  expect([records.length, faults, anchored]).toEqual([4, [], true]);
});

test("[A18] the last full file deleted is missed although nothing after it names it", async () => {
  const directory = await filled(12, "x".repeat(100_000));
  rmSync(path.join(directory, "records.jsonl"));
  rmSync(path.join(directory, "records.1.jsonl"));
  expect(await kinds(directory)).toEqual(["missing-file", "anchor-differs"]);
});

test("[A19] a reader beside writers never sees a part", async () => {
  const directory = await filled(1);
  const log = createRecordLog({ directory });
  const writing = run(process.execPath, [writer, directory, "writer", "20"]);
  const state = { done: false };
  const ended = writing.then(() => (state.done = true));
  while (!state.done) {
    expect(await log.readAll()).toMatchObject({ faults: [], anchored: true });
    await setImmediate();
  }
  await ended;
});

test("[A14] a chain of retries is rebuilt oldest to newest across full files, whatever the clock said", async () => {
  const directory = freshDirectory();
  const log = createRecordLog({ directory });
  const stdout = { head: "x".repeat(600_000), tail: "", omitted_lines: 0, omitted_bytes: 0, redactions: 0 };
  for (const order of [1, 2, 3]) {
    const parent_command_id = order === 1 ? null : makeRecord(order - 1).command_id;
    const started_at = new Date(Date.UTC(2026, 0, 9 - order)).toISOString();
    await log.append(draft(order, { stdout, parent_command_id, started_at }));
  }
  expect(readdirSync(directory)).toContain("records.2.jsonl");
  const chains = retryChains((await log.readAll()).records.toReversed());
  expect(chains.map((chain) => chain.map((record) => record.command_id))).toEqual([
    [1, 2, 3].map((order) => makeRecord(order).command_id),
  ]);
});

test("[A23] a log holds records and nothing else: no event, no measurement of ours", async () => {
  const directory = await filled(2);
  const lines = readFileSync(path.join(directory, "records.jsonl"), "utf8").trimEnd().split("\n");
  for (const line of lines)
    expect(Object.keys(JSON.parse(line) as object).toSorted()).toEqual(Object.keys(makeRecord(0)).toSorted());
  expect(readdirSync(directory).toSorted()).toEqual(["anchor", "records.jsonl"]);
});

test("[A20] the gate's reader is not bounded, the other is", async () => {
  const directory = await filled(700);
  const log = createRecordLog({ directory });
  expect((await log.readAll()).records).toHaveLength(700);
  expect(await log.readNewest(500)).toHaveLength(500);
});
