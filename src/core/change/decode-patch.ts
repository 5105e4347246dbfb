import { type Decoded, refused } from "./decoded.ts";

/** One hunk: its numbers, and its lines as they stand in the patch (each ends in LF). */
export interface Hunk {
  readonly old_start: number;
  readonly old_count: number;
  readonly new_start: number;
  readonly new_count: number;
  /** Lines that begin with `+` and with `-`. */
  readonly added: number;
  readonly deleted: number;
  readonly body: Uint8Array;
}

/** One file of a patch. Ids come from its full `index` line; null where git prints none (mode only). */
export interface PatchSection {
  readonly old_id: string | null;
  readonly new_id: string | null;
  readonly hunks: readonly Hunk[];
}

const hunkHead = /^@@ -([0-9]+)(?:,([0-9]+))? \+([0-9]+)(?:,([0-9]+))? @@/u;
const indexHead = /^index ([0-9a-f]+)\.\.([0-9a-f]+)(?: [0-7]{6})?$/u;
const headerLine = /^(?:old mode|new mode|deleted file mode|new file mode|---|\+\+\+) /u;

/**
 * Decodes a text patch made with every file forced to text. Hunks are cut by their own counts, so no content line can
 * pass for a header; any line that fits nowhere is a refusal.
 */
export function decodePatch(bytes: Uint8Array): Decoded<readonly PatchSection[]> {
  const cursor = { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), at: 0 };
  const sections: PatchSection[] = [];
  while (cursor.at < cursor.bytes.length) {
    const first = takeLine(cursor);
    if (first === null || !first.startsWith("diff --git ")) return refused(`line at byte ${cursor.at} begins no file`);
    const section = takeSection(cursor);
    if (!section.ok) return section;
    sections.push(section.value);
  }
  return { ok: true, value: sections };
}

interface Cursor {
  readonly bytes: Buffer;
  at: number;
}

function takeSection(cursor: Cursor): Decoded<PatchSection> {
  let ids: readonly [string | null, string | null] = [null, null];
  const hunks: Hunk[] = [];
  while (cursor.at < cursor.bytes.length && !startsFile(cursor)) {
    const text = takeLine(cursor);
    if (text === null) return refused("the patch was cut inside a header");
    const index = indexHead.exec(text);
    const hunk = hunkHead.exec(text);
    if (index !== null && hunks.length === 0) ids = [index[1] ?? null, index[2] ?? null];
    else if (hunk !== null) {
      const decoded = takeHunk(cursor, hunk);
      if (!decoded.ok) return decoded;
      hunks.push(decoded.value);
    } else if (hunks.length > 0 || !headerLine.test(text)) return refused(`not a patch line: ${text.slice(0, 120)}`);
  }
  return { ok: true, value: { old_id: ids[0], new_id: ids[1], hunks } };
}

function startsFile(cursor: Cursor): boolean {
  return cursor.bytes.subarray(cursor.at, cursor.at + 11).toString("latin1") === "diff --git ";
}

function takeHunk(cursor: Cursor, head: RegExpExecArray): Decoded<Hunk> {
  const numbers = head.slice(1).map((text: string | undefined) => (text === undefined ? undefined : Number(text)));
  const [old_start = 0, old_count = 1, new_start = 0, new_count = 1] = numbers;
  const from = cursor.at;
  let [context, added, deleted] = [0, 0, 0];
  while (context + deleted < old_count || context + added < new_count || cursor.bytes[cursor.at] === backslash) {
    const sign = cursor.bytes[cursor.at];
    if (sign === plus) added += 1;
    else if (sign === minus) deleted += 1;
    else if (sign === space) context += 1;
    else if (sign !== backslash) return refused("a hunk holds a foreign line, or was cut");
    if (context + deleted > old_count || context + added > new_count)
      return refused("a hunk is longer than its counts");
    if (!skipLine(cursor)) return refused("the patch was cut inside a hunk");
  }
  const body = cursor.bytes.subarray(from, cursor.at);
  return { ok: true, value: { old_start, old_count, new_start, new_count, added, deleted, body } };
}

const space = 0x20;
const plus = 0x2b;
const minus = 0x2d;
const backslash = 0x5c;

function skipLine(cursor: Cursor): boolean {
  const end = cursor.bytes.indexOf(0x0a, cursor.at);
  if (end < 0) return false;
  cursor.at = end + 1;
  return true;
}

function takeLine(cursor: Cursor): string | null {
  const from = cursor.at;
  return skipLine(cursor) ? cursor.bytes.toString("latin1", from, cursor.at - 1) : null;
}
