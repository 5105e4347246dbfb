import { Buffer } from "node:buffer";
import type { Hunk } from "./decode-patch.ts";

const lineFeed = 0x0a;
const space = 0x20;
const minus = 0x2d;

/** The lines of a text, each with its line feed; the last may have none. */
function linesOf(bytes: Uint8Array): readonly Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(lineFeed, at);
    const next = end < 0 ? bytes.length : end + 1;
    lines.push(bytes.subarray(at, next));
    at = next;
  }
  return lines;
}

/**
 * The new file with one hunk undone: its lines as they were in the old file. Null when the hunk does not lie where it says,
 * or touches an end of file without a line feed, which a patch writes on a line of its own.
 */
export function revertHunk(file: Uint8Array, hunk: Hunk): Uint8Array | null {
  const lines = linesOf(file);
  const body = linesOf(hunk.body);
  if (body.some((line) => line[0] === 0x5c)) return null;
  // A hunk without new lines names the line before the place where the old ones were.
  const from = hunk.new_count === 0 ? hunk.new_start : hunk.new_start - 1;
  const now = body.filter((line) => line[0] !== minus).map((line) => line.subarray(1));
  const there = lines.slice(from, from + hunk.new_count);
  if (now.length !== there.length || now.some((line, index) => Buffer.compare(line, there[index] ?? line) !== 0))
    return null;
  const old = body.filter((line) => line[0] === minus || line[0] === space).map((line) => line.subarray(1));
  return Buffer.concat([...lines.slice(0, from), ...old, ...lines.slice(from + hunk.new_count)]);
}
