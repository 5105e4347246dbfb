import type { Excerpt } from "../facts/index.ts";

/** How many bytes of each end an excerpt keeps. */
export interface ExcerptLimits {
  readonly head_bytes: number;
  readonly tail_bytes: number;
}

const defaultLimits: ExcerptLimits = { head_bytes: 8 * 1024, tail_bytes: 24 * 1024 };
const newline = 0x0a;

/** True for a byte that continues a UTF-8 sequence: a cut must not stand before it. */
function continues(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** Where the head ends: after the last line that fits whole, else at the last character that does. */
function headEnd(bytes: Uint8Array, limit: number): number {
  const line = bytes.subarray(0, limit).lastIndexOf(newline);
  if (line >= 0) return line + 1;
  let end = limit;
  for (let step = 0; step < 3 && continues(bytes[end]); step += 1) end -= 1;
  return end;
}

/** Where the tail starts: at the first line that fits whole, else at the first character that does. */
function tailStart(bytes: Uint8Array, from: number): number {
  const line = bytes.subarray(from, bytes.length - 1).indexOf(newline);
  if (line >= 0) return from + line + 1;
  let start = from;
  for (let step = 0; step < 3 && continues(bytes[start]); step += 1) start += 1;
  return start;
}

function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === newline) lines += 1;
  return bytes.length > 0 && bytes[bytes.length - 1] !== newline ? lines + 1 : lines;
}

/**
 * The two ends of an output stream. The same bytes give the same excerpt; the last line survives any length, one huge
 * line is cut by bytes, and bytes that are no UTF-8 stand as U+FFFD. `omitted_lines` counts lines that lost any byte.
 */
export function excerpt(bytes: Uint8Array, limits: ExcerptLimits = defaultLimits): Excerpt {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  if (bytes.length <= limits.head_bytes + limits.tail_bytes) {
    return { head: decoder.decode(bytes), tail: "", omitted_lines: 0, omitted_bytes: 0 };
  }
  const head = headEnd(bytes, limits.head_bytes);
  const tail = tailStart(bytes, bytes.length - limits.tail_bytes);
  return {
    head: decoder.decode(bytes.subarray(0, head)),
    tail: decoder.decode(bytes.subarray(tail)),
    omitted_lines: countLines(bytes.subarray(head, tail)),
    omitted_bytes: tail - head,
  };
}
