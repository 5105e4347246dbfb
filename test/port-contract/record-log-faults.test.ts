import fs, { mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemCalls, type LogCalls } from "../../src/adapters/record-log/files/log-calls.ts";
import { createRecordLog } from "../../src/adapters/record-log/files/record-log.ts";
import type { RecordDraft } from "../../src/core/record/index.ts";
import { makeRecord } from "../fixtures/record-builders.ts";

const changing = [
  "openSync",
  "writeSync",
  "fdatasyncSync",
  "fsyncSync",
  "closeSync",
  "renameSync",
  "linkSync",
] as const;

interface Faults {
  /** Which call fails, counted from 1. */
  readonly at: number;
  /** `once`: the next call works again. `stop`: nothing works afterwards, as after a kill. */
  readonly kind: "once" | "stop";
  readonly errno: string;
}

/** Calls of which the n-th fails; a write that fails has left half of its bytes. */
function createFaultyCalls({ at, kind, errno }: Faults): { calls: LogCalls; seen: () => number } {
  const state = { seen: 0 };
  const fail = (): never => {
    throw Object.assign(new Error(errno), { code: errno });
  };
  const fails = (): boolean => ++state.seen === at || (kind === "stop" && state.seen > at);
  const broken = Object.fromEntries(
    [...changing, "ftruncateSync", "rmSync"].map((name) => [
      name,
      (...args: readonly unknown[]) => {
        if (!fails()) return Reflect.apply(systemCalls[name as "closeSync"], fs, args) as unknown;
        // A descriptor is gone whatever closing it said.
        if (name === "closeSync") fs.closeSync(args[0] as number);
        if (name === "writeSync" && state.seen === at) {
          const bytes = args[1] as Uint8Array;
          fs.writeSync(args[0] as number, bytes.subarray(0, bytes.length >> 1));
        }
        return fail();
      },
    ]),
  );
  return { calls: { ...systemCalls, ...broken }, seen: () => state.seen };
}

function draft(order: number, bytes = 10): RecordDraft {
  const stdout = { head: "x".repeat(bytes), tail: "", omitted_lines: 0, omitted_bytes: 0, redactions: 0 };
  const { prev: _prev, digest: _digest, ...rest } = makeRecord(order, { stdout });
  return rest;
}

/** `full`: the next record does not fit the current file. */
async function prepare(directory: string, state: "fresh" | "some" | "full"): Promise<number> {
  if (state === "fresh") return 0;
  const log = createRecordLog({ directory });
  await log.append(draft(1));
  await log.append(draft(2, state === "full" ? 1_040_000 : 10));
  return 2;
}

let root: string;
beforeAll(() => {
  root = mkdtempSync(path.join(os.tmpdir(), "trueup-log-faults-"));
});
afterAll(() => rmSync(root, { recursive: true }));

/** Fails the n-th call for every n until an append goes through; returns how many were tried. */
async function failEach(faults: Omit<Faults, "at">, state: "fresh" | "some" | "full"): Promise<number> {
  for (let at = 1; ; at += 1) {
    const directory = path.join(root, `${faults.kind}-${state}-${at}`);
    fs.mkdirSync(directory);
    const before = await prepare(directory, state);
    const { calls, seen } = createFaultyCalls({ ...faults, at });
    const failure = await createRecordLog({ directory, calls })
      .append(draft(9, 9_000))
      .then(
        () => null,
        (error: unknown) => error,
      );
    if (faults.kind === "stop") fs.rmSync(path.join(directory, "records.lock"), { force: true });
    const log = createRecordLog({ directory });
    const where = `call ${at} of ${state}`;
    if (failure !== null) expect(failure, where).toMatchObject({ code: "disk-full" });
    if (faults.kind === "once") {
      const left = await log.readAll();
      const count = before + (failure === null ? 1 : 0);
      expect([left.records.length, left.faults, left.anchored], where).toEqual([count, [], true]);
    }
    // A process that was stopped may have written the whole record; what it wrote is kept, and never half of it.
    await log.append(draft(10));
    const after = await log.readAll();
    expect([after.faults, after.anchored], where).toEqual([[], true]);
    expect(after.records.slice(0, before).map((record) => record.command_id)).toEqual(
      [1, 2].slice(0, before).map((order) => makeRecord(order).command_id),
    );
    if (failure === null) expect(after.records.map((record) => record.command_id)).toContain(makeRecord(9).command_id);
    expect(readdirSync(directory).filter((name) => name.endsWith(".heir"))).toEqual([]);
    if (seen() < at) return at - 1;
  }
}

test.each([
  ["once", "fresh"],
  ["once", "some"],
  ["once", "full"],
  ["stop", "fresh"],
  ["stop", "some"],
  ["stop", "full"],
] as const)(
  "[A19] a disk that is full at any step (%s, %s): the log is as before or holds the record",
  async (kind, state) => {
    expect(await failEach({ kind, errno: "ENOSPC" }, state)).toBeGreaterThan(12);
  },
);

test.each([
  ["ENOSPC", "disk-full"],
  ["EDQUOT", "disk-full"],
  ["EROFS", "state-unwritable"],
  ["EACCES", "state-unwritable"],
  ["EIO", "state-unwritable"],
])("%s is told as %s", async (errno, code) => {
  const directory = mkdtempSync(path.join(root, "errno-"));
  const { calls } = createFaultyCalls({ at: 1, kind: "stop", errno });
  await expect(createRecordLog({ directory, calls }).append(draft(1))).rejects.toMatchObject({ code });
});

test("a log on a read-only file system can still be read", async () => {
  const directory = mkdtempSync(path.join(root, "readonly-"));
  await prepare(directory, "some");
  const { calls } = createFaultyCalls({ at: 1, kind: "stop", errno: "EROFS" });
  const reading = await createRecordLog({ directory, calls }).readAll();
  expect([reading.records.length, reading.faults, reading.anchored]).toEqual([2, [], true]);
});

test("[A22] a file that cannot be read is a fault", async () => {
  const directory = mkdtempSync(path.join(root, "unreadable-"));
  await prepare(directory, "full");
  await createRecordLog({ directory }).append(draft(3, 20_000));
  const calls = {
    ...systemCalls,
    readFileSync: ((file: string) => {
      if (file.endsWith("records.1.jsonl")) throw Object.assign(new Error("EIO"), { code: "EIO" });
      return fs.readFileSync(file);
    }) as LogCalls["readFileSync"],
  };
  const { faults, anchored } = await createRecordLog({ directory, calls }).readAll();
  expect([faults[0]?.kind, anchored]).toEqual(["unreadable", false]);
});
