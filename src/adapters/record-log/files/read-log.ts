import path from "node:path";
import { openRecordLine, verifyLinks } from "../../../core/record/index.ts";
import type { CommandRecord, LogFault, LogReading } from "../../../core/record/index.ts";
import { readAnchor, type LogAnchor } from "./log-anchor.ts";
import { errnoOf, readBytes } from "./log-calls.ts";
import { highestRotated, rotatedFile, type LogPlace } from "./log-place.ts";

type ParseLog = (bytes: Uint8Array, name: string) => Pick<LogReading, "records" | "faults">;

/** Reads all of a log file by file, with every fault. `parse` is given, since it loads a schema that writers do not need. */
export function readWhole(place: LogPlace, parse: ParseLog): LogReading {
  const faults: LogFault[] = [];
  const records: CommandRecord[] = [];
  const read = <T>(file: string, act: () => T): T | null => {
    try {
      return act();
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === null) throw error;
      faults.push({ kind: "unreadable", detail: `${path.basename(file)}: ${errno}` });
      return null;
    }
  };
  const anchor = read(place.anchor, () => readAnchor(place.calls, place.anchor)) ?? null;
  if (anchor === "damaged") faults.push({ kind: "anchor-differs", detail: "the anchor cannot be read" });
  for (const file of read(place.directory, () => filesOf(place, anchor)) ?? []) {
    const name = path.basename(file);
    const bytes = read(file, () => readBytes(place.calls, file) ?? "missing");
    if (bytes === "missing" && file !== place.current) faults.push({ kind: "missing-file", detail: name });
    if (bytes === null || bytes === "missing") continue;
    const parsed = parse(bytes, name);
    for (const record of parsed.records) records.push(record);
    for (const fault of parsed.faults) faults.push(fault);
  }
  return judgeAnchor(records, [...faults, ...verifyLinks(records)], anchor);
}

/** An empty log needs no anchor: there is nothing in it to believe. */
function judgeAnchor(
  records: readonly CommandRecord[],
  faults: readonly LogFault[],
  anchor: LogAnchor | null | "damaged",
): LogReading {
  if (anchor === null) return { records, faults, anchored: records.length === 0 && faults.length === 0 };
  if (anchor === "damaged") return { records, faults, anchored: false };
  const same = anchor.count === records.length && anchor.digest === (records.at(-1)?.digest ?? null);
  const detail = `the anchor names ${anchor.count} records, ${records.length} are there`;
  return { records, faults: same ? faults : [...faults, { kind: "anchor-differs", detail }], anchored: same };
}

/** Every file that is there or that the anchor counts, oldest first. */
function filesOf(place: LogPlace, anchor: LogAnchor | null | "damaged"): readonly string[] {
  const counted = anchor === null || anchor === "damaged" ? 0 : anchor.rotated;
  const highest = Math.max(counted, highestRotated(place));
  const full = Array.from({ length: highest }, (_, index) => rotatedFile(place, index + 1));
  return [...full, place.current];
}

/** Reads back from the end until there are `limit` records. Lines that are no records are for `readWhole` to tell of. */
export function readEnd(place: LogPlace, limit: number): readonly CommandRecord[] {
  const newestFirst: CommandRecord[] = [];
  for (const file of filesOf(place, null).toReversed()) {
    if (newestFirst.length >= limit) break;
    const bytes = readBytes(place.calls, file) ?? new Uint8Array(0);
    const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8").split("\n");
    for (const line of lines.slice(0, -1).toReversed()) {
      if (newestFirst.length >= limit) break;
      const opened = openRecordLine(line, "the line");
      if (opened.ok) newestFirst.push(opened.record);
    }
  }
  return newestFirst.toReversed();
}
