import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import {
  encodeRecord,
  sealRecord,
  verifyLinks,
  type CommandRecord,
  type LogFault,
  type LogReading,
  type RecordDraft,
} from "../../../core/record/index.ts";
import { TrueupError } from "../../../errors.ts";
import type { RecordLog } from "../../../ports/index.ts";
import { emptyAnchor, readAnchor, writeAnchor, type LogAnchor } from "./log-anchor.ts";
import { withLogLock } from "./log-lock.ts";

/** A file that has reached this size is set aside whole; nothing is ever dropped. */
const rotateBytes = 1024 * 1024;

export interface RecordLogOptions {
  /** The session's directory, which exists. */
  readonly directory: string;
}

interface LogPlace {
  readonly current: string;
  readonly anchor: string;
  readonly lock: string;
  rotated(number: number): string;
}

/** A session's records as JSON Lines: `records.jsonl`, full files as `records.1.jsonl` and on, and the `anchor` of their end. */
export function createRecordLog({ directory }: RecordLogOptions): RecordLog {
  const place: LogPlace = {
    current: path.join(directory, "records.jsonl"),
    anchor: path.join(directory, "anchor"),
    lock: path.join(directory, "records.lock"),
    rotated: (number) => path.join(directory, `records.${number}.jsonl`),
  };
  return {
    append: (draft) => guarded(place, () => withLogLock(place.lock, () => append(place, draft))),
    readAll: () => guarded(place, () => readAll(place)),
    readNewest: (limit) => guarded(place, () => readNewest(place, limit)),
  };
}

/** A failure of the file system has the code of what the user can do about it. */
async function guarded<T>(place: LogPlace, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (cause instanceof TrueupError || code === undefined) throw cause;
    const full = ["ENOSPC", "EDQUOT", "EFBIG"].includes(code);
    throw new TrueupError(full ? "disk-full" : "state-unwritable", { subject: place.current, detail: code, cause });
  }
}

async function append(place: LogPlace, draft: RecordDraft): Promise<CommandRecord> {
  const end = rotateWhenFull(place, await findEnd(place));
  const record = sealRecord(draft, end.digest);
  const line = Buffer.from(encodeRecord(record), "utf8");
  writeLine(place.current, line, end.bytes);
  try {
    writeAnchor(place.anchor, { ...end, count: end.count + 1, digest: record.digest, bytes: end.bytes + line.length });
  } catch (error) {
    truncateSync(place.current, end.bytes);
    throw error;
  }
  return record;
}

/** Writes one line and waits for the disk; a line that does not fit whole leaves the log as it was. */
function writeLine(file: string, line: Buffer, at: number): void {
  const fd = openSync(file, "a", 0o600);
  try {
    for (let done = 0; done < line.length;) done += writeSync(fd, line, done);
    fsyncSync(fd);
  } catch (error) {
    ftruncateSync(fd, at);
    throw error;
  } finally {
    closeSync(fd);
  }
}

/**
 * Where the chain ends. Bytes behind the anchor are of a writer that died before it could answer: a whole record that
 * follows is adopted, a torn one was never told to anybody. Anything else is damage, and nothing is added to it.
 */
async function findEnd(place: LogPlace): Promise<LogAnchor> {
  const stored = readAnchor(place.anchor);
  if (stored === "damaged") throw damaged(place.anchor, "it is no anchor of this version");
  const anchor = stored ?? emptyAnchor;
  const size = sizeOf(place.current);
  if (size === anchor.bytes) return anchor;
  if (stored === null) throw damaged(place.current, "it has no anchor");
  if (size === 0 && sizeOf(place.rotated(anchor.rotated + 1)) === anchor.bytes)
    return { ...anchor, bytes: 0, rotated: anchor.rotated + 1 };
  if (size < anchor.bytes) throw damaged(place.current, "its end is missing");
  return adopt(place, anchor);
}

async function adopt(place: LogPlace, anchor: LogAnchor): Promise<LogAnchor> {
  const { parseLog } = await import("../../../core/record/parse-log.ts");
  const added = readFileSync(place.current).subarray(anchor.bytes);
  const whole = added.subarray(0, added.lastIndexOf(0x0a) + 1);
  const { records, faults } = parseLog(whole, "the end of the log");
  if (faults.length > 0) throw damaged(place.current, faults[0]?.detail ?? "");
  if (records.length > 0 && records[0]?.prev !== anchor.digest)
    throw damaged(place.current, "a record does not follow the anchor");
  truncateSync(place.current, anchor.bytes + whole.length);
  const digest = records.at(-1)?.digest ?? anchor.digest;
  return { ...anchor, count: anchor.count + records.length, digest, bytes: anchor.bytes + whole.length };
}

function rotateWhenFull(place: LogPlace, end: LogAnchor): LogAnchor {
  if (end.bytes < rotateBytes) return end;
  const rotated = end.rotated + 1;
  renameSync(place.current, place.rotated(rotated));
  const next = { ...end, bytes: 0, rotated };
  writeAnchor(place.anchor, next);
  return next;
}

async function readAll(place: LogPlace): Promise<LogReading> {
  const { parseLog } = await import("../../../core/record/parse-log.ts");
  const anchor = readAnchor(place.anchor);
  const files = [...rotatedFiles(place, anchor), place.current];
  const records: CommandRecord[] = [];
  const faults: LogFault[] =
    anchor === "damaged" ? [{ kind: "anchor-differs", detail: "the anchor cannot be read" }] : [];
  for (const file of files) {
    const bytes = readBytes(file);
    if (bytes === null && file !== place.current) faults.push({ kind: "missing-file", detail: path.basename(file) });
    if (bytes === null) continue;
    const parsed = parseLog(bytes, path.basename(file));
    for (const record of parsed.records) records.push(record);
    faults.push(...parsed.faults);
  }
  faults.push(...verifyLinks(records));
  return judgeAnchor({ records, faults }, anchor);
}

/** An empty log needs no anchor: there is nothing in it to believe. */
function judgeAnchor(
  read: { records: readonly CommandRecord[]; faults: readonly LogFault[] },
  anchor: LogAnchor | null | "damaged",
): LogReading {
  const { records, faults } = read;
  if (anchor === null || anchor === "damaged") return { ...read, anchored: anchor === null && records.length === 0 };
  const same = anchor.count === records.length && anchor.digest === (records.at(-1)?.digest ?? null);
  const detail = `the anchor names ${anchor.count} records, ${records.length} are there`;
  return { records, faults: same ? faults : [...faults, { kind: "anchor-differs", detail }], anchored: same };
}

/** The full files the anchor counts; without one, those that are there. */
function rotatedFiles(place: LogPlace, anchor: LogAnchor | null | "damaged"): readonly string[] {
  const counted = anchor === null || anchor === "damaged" ? 0 : anchor.rotated;
  const files = Array.from({ length: counted }, (_, index) => place.rotated(index + 1));
  for (let next = counted + 1; existsSync(place.rotated(next)); next++) files.push(place.rotated(next));
  return files;
}

async function readNewest(place: LogPlace, limit: number): Promise<readonly CommandRecord[]> {
  const { parseLog } = await import("../../../core/record/parse-log.ts");
  const files = [...rotatedFiles(place, readAnchor(place.anchor)), place.current].reverse();
  let records: readonly CommandRecord[] = [];
  for (const file of files) {
    if (records.length >= limit) break;
    const bytes = readBytes(file);
    if (bytes !== null) records = [...parseLog(bytes, path.basename(file)).records, ...records];
  }
  return limit === 0 ? [] : records.slice(-limit);
}

function readBytes(file: string): Uint8Array | null {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function damaged(subject: string, detail: string): TrueupError {
  return new TrueupError("session-damaged", { subject, detail });
}
