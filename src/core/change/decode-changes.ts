import { type Decoded, refused, splitRecords } from "./decoded.ts";
import type { BytePath } from "./path-bytes.ts";

/** One changed path as raw and numstat agree on it. Modes are six octal digits, ids full hex, lines as counted. */
export interface RawChange {
  readonly path: BytePath;
  readonly status: "A" | "D" | "M" | "T";
  readonly old_mode: string;
  readonly new_mode: string;
  readonly old_id: string;
  readonly new_id: string;
  readonly added: number;
  readonly deleted: number;
}

const rawHead = /^:([0-7]{6}) ([0-7]{6}) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])([0-9]*)$/u;
const statHead = /^([0-9]+)\t([0-9]+)\t(.+)$/su;

/** What the caller knows before: how long ids are, and whether the two trees are different ones. */
export interface ChangesExpected {
  readonly idLength: 40 | 64;
  /** Different trees have at least one change: an empty listing was lost on the way. */
  readonly differ: boolean;
}

/**
 * Decodes `diff-tree -r -z --raw --numstat --no-renames`: all raw records, then all numstat records.
 * Anything lost (a NUL, a record, a digit) is a refusal, never a smaller number.
 */
export function decodeChanges(bytes: Uint8Array, expected: ChangesExpected): Decoded<readonly RawChange[]> {
  const records = splitRecords(bytes);
  if (records === null) return refused("the listing does not end in NUL");
  if (records.length % 3 !== 0) return refused(`${records.length} records are not three a path`);
  if (records.length > 0 !== expected.differ)
    return refused(`${records.length} records for trees that ${expected.differ ? "differ" : "are the same"}`);
  const count = records.length / 3;
  const changes: RawChange[] = [];
  for (let index = 0; index < count; index++) {
    const raw = decodeRaw(records[2 * index] ?? "", records[2 * index + 1] ?? "", expected.idLength);
    if (!raw.ok) return raw;
    const stat = statHead.exec(records[2 * count + index] ?? "");
    if (stat === null) return refused(`record ${2 * count + index} is no pair of counts`);
    const [, added = "", deleted = "", path = ""] = stat;
    if (path !== raw.value.path) return refused("raw and numstat name different paths");
    const previous = changes.at(-1);
    if (previous !== undefined && previous.path >= path) return refused("paths are not in order");
    const counts = { added: Number(added), deleted: Number(deleted) };
    if (!Number.isSafeInteger(counts.added) || !Number.isSafeInteger(counts.deleted))
      return refused("a count is too long");
    changes.push({ ...raw.value, ...counts });
  }
  return { ok: true, value: changes };
}

/** The inverse of `decodeChanges`, for its tests and for recorded samples. */
export function encodeChanges(changes: readonly RawChange[]): Uint8Array {
  const raw = changes.map((c) => `:${c.old_mode} ${c.new_mode} ${c.old_id} ${c.new_id} ${c.status}\0${c.path}\0`);
  const stat = changes.map((c) => `${c.added}\t${c.deleted}\t${c.path}\0`);
  return Buffer.from([...raw, ...stat].join(""), "latin1");
}

function decodeRaw(head: string, path: string, idLength: number): Decoded<Omit<RawChange, "added" | "deleted">> {
  const match = rawHead.exec(head);
  if (match === null) return refused(`not a raw record: ${head.slice(0, 120)}`);
  const [, old_mode = "", new_mode = "", old_id = "", new_id = "", status = "", score = ""] = match;
  if (old_id.length !== idLength || new_id.length !== idLength) return refused("an object id is not full");
  if (score !== "") return refused("a rename or copy was reported");
  if (status !== "A" && status !== "D" && status !== "M" && status !== "T")
    return refused(`status ${status} is not known`);
  const problem =
    path === "" || path.startsWith("/") ? "a path is empty or absolute" : contradiction(status, old_mode, new_mode);
  return problem === null
    ? { ok: true, value: { path, status, old_mode, new_mode, old_id, new_id } }
    : refused(problem);
}

/** A status that its own modes contradict was damaged on the way. */
function contradiction(status: RawChange["status"], oldMode: string, newMode: string): string | null {
  const absent = "000000";
  if ((status === "A") !== (oldMode === absent)) return "status and old mode disagree";
  if ((status === "D") !== (newMode === absent)) return "status and new mode disagree";
  return null;
}
