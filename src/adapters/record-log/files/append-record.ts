import {
  encodeRecord,
  openRecordLine,
  sealRecord,
  type CommandRecord,
  type RecordDraft,
} from "../../../core/record/index.ts";
import { TrueupError } from "../../../errors.ts";
import { emptyAnchor, readAnchor, writeAnchor, type LogAnchor } from "./log-anchor.ts";
import { appendDurably, cutDurably, readBytes, sizeOf, syncDirectory, undo } from "./log-calls.ts";
import { rotatedFile, type LogPlace } from "./log-place.ts";

/** A file is set aside before it would grow beyond this; only a single record can make it longer. */
const rotateBytes = 1024 * 1024;

/**
 * Chains one record and writes it durably, the anchor last. The lock must be held. When it throws, the log holds what it
 * held before. Throws `session-damaged` rather than add to a log that is not what its anchor names.
 */
export function appendRecord(place: LogPlace, draft: RecordDraft): CommandRecord {
  const end = findEnd(place);
  const record = sealRecord(draft, end.digest);
  const bytes = Buffer.from(encodeRecord(record), "utf8");
  const to = end.bytes > 0 && end.bytes + bytes.length > rotateBytes ? setAside(place, end) : end;
  try {
    appendDurably(place.calls, place.current, bytes);
    if (to.bytes === 0) syncDirectory(place.calls, place.directory);
    const next = { ...to, count: to.count + 1, digest: record.digest, bytes: to.bytes + bytes.length };
    writeAnchor(place.calls, place.anchor, next);
  } catch (error) {
    undo(() => cutDurably(place.calls, place.current, to.bytes));
    throw error;
  }
  return record;
}

/**
 * Whether a record could follow: the end is what the anchor names, its last record is the one, unchanged and of this
 * version, and every file that was set aside is there. What stands before is the gate's to read: a command pays for every
 * byte that is read at its start. The lock must be held. Throws `session-damaged`.
 */
export function checkEnd(place: LogPlace): void {
  const end = findEnd(place);
  const { rotated } = end;
  const newest = end.bytes > 0 ? place.current : rotatedFile(place, rotated);
  if (end.count > 0) checkNewest(place, newest, end);
  for (let index = 1; index <= rotated; index += 1) {
    const file = rotatedFile(place, index);
    if (sizeOf(place.calls, file) === 0) throw damaged(file, "it was set aside full, and is gone");
  }
}

function checkNewest(place: LogPlace, file: string, end: LogAnchor): void {
  const bytes = Buffer.from(readBytes(place.calls, file) ?? new Uint8Array(0));
  const line = bytes.subarray(bytes.lastIndexOf(0x0a, bytes.length - 2) + 1, -1).toString("utf8");
  const opened = openRecordLine(line, "the newest record");
  if (!opened.ok) throw damaged(file, opened.fault.detail);
  if (opened.record.digest !== end.digest)
    throw damaged(file, "its newest record is not the one that the anchor names");
}

/**
 * Where the chain ends. Bytes behind the anchor are of a writer that died before it could answer: whole records that
 * follow are adopted, a torn one was never told to anybody (its command is known as one that did not end).
 */
function findEnd(place: LogPlace): LogAnchor {
  const stored = readAnchor(place.calls, place.anchor);
  if (stored === "damaged") throw damaged(place.anchor, "it is no anchor of this version");
  const anchor = stored ?? emptyAnchor;
  const size = sizeOf(place.calls, place.current);
  // An anchor stands before the first record does: records without one have lost it.
  if (stored === null && size === 0) writeAnchor(place.calls, place.anchor, emptyAnchor);
  const aside = rotatedFile(place, anchor.rotated + 1);
  const asideSize = sizeOf(place.calls, aside);
  if (asideSize > 0) {
    // The file was set aside, and the anchor does not know it yet.
    if (asideSize !== anchor.bytes) throw damaged(aside, "it is not the file that the anchor names");
    return adopt(place, { ...anchor, bytes: 0, rotated: anchor.rotated + 1 }, size);
  }
  if (stored === null && size > 0) throw damaged(place.current, "it has no anchor");
  if (size < anchor.bytes) throw damaged(place.current, "its end is missing");
  return adopt(place, anchor, size);
}

function adopt(place: LogPlace, anchor: LogAnchor, size: number): LogAnchor {
  if (size === anchor.bytes) return anchor;
  const added = Buffer.from((readBytes(place.calls, place.current) ?? Buffer.alloc(0)).subarray(anchor.bytes));
  const whole = added.subarray(0, added.lastIndexOf(0x0a) + 1);
  const lines = whole.toString("utf8").split("\n").slice(0, -1);
  const end = lines.reduce((before, line) => follow(place, before, line), anchor);
  const bytes = anchor.bytes + whole.length;
  if (bytes < size) cutDurably(place.calls, place.current, bytes);
  return { ...end, bytes };
}

/** The end one record further on. */
function follow(place: LogPlace, before: LogAnchor, line: string): LogAnchor {
  const opened = openRecordLine(line, "the line behind the anchor");
  if (!opened.ok) throw damaged(place.current, opened.fault.detail);
  if (opened.record.prev !== before.digest) throw damaged(place.current, "a record does not follow the anchor");
  return { ...before, count: before.count + 1, digest: opened.record.digest };
}

/** Gives the full file its number. The anchor follows with the next record; until then `findEnd` knows what happened. */
function setAside(place: LogPlace, end: LogAnchor): LogAnchor {
  const rotated = end.rotated + 1;
  place.calls.renameSync(place.current, rotatedFile(place, rotated));
  return { ...end, bytes: 0, rotated };
}

function damaged(subject: string, detail: string): TrueupError {
  return new TrueupError("session-damaged", { subject, detail });
}
