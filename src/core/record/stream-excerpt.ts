import { countNewlines } from "./count-newlines.ts";
import { createEndsKeeper } from "./ends-keeper.ts";
import type { RecordedStream } from "./record.ts";
import { createRedactionScan } from "./redact.ts";
import type { RedactionRules } from "./redaction-rules.ts";

/** How many bytes of each end are kept, counted after redaction. */
export interface StreamLimits {
  readonly head_bytes: number;
  readonly tail_bytes: number;
}

const defaultLimits: StreamLimits = { head_bytes: 8 * 1024, tail_bytes: 24 * 1024 };
const newline = 0x0a;

/** Turns a stream into what a record keeps of it, in constant memory. */
export interface StreamExcerpt {
  push(bytes: Uint8Array): void;
  end(): RecordedStream;
}

/** True for a byte that continues a UTF-8 sequence: a cut must not stand before it. */
function continues(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** Where the head ends: after the last line that fits whole, else at the last character that does. */
function headEnd(head: Uint8Array, next: number | undefined): number {
  const line = head.lastIndexOf(newline);
  if (line >= 0) return line + 1;
  let end = head.length;
  const at = (place: number): number | undefined => (place === head.length ? next : head[place]);
  for (let step = 0; step < 3 && end > 0 && continues(at(end)); step += 1) end -= 1;
  return end;
}

/** Where the tail starts: at the first line that fits whole, else at the first character that does. */
function tailStart(tail: Uint8Array, before: number | undefined): number {
  if (before === newline) return 0;
  const line = tail.subarray(0, -1).indexOf(newline);
  if (line >= 0) return line + 1;
  let start = 0;
  for (let step = 0; step < 3 && continues(tail[start]); step += 1) start += 1;
  return start;
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/**
 * Redacts, then keeps the two ends. The result is a pure function of all bytes pushed, whatever their chunks: the last
 * line survives any length, one huge line is cut by bytes, bytes that are no UTF-8 stand as U+FFFD. `omitted_lines`
 * counts lines that lost any byte, `redactions` every secret replaced, also in what was cut.
 */
export function createStreamExcerpt(rules: RedactionRules, limits: StreamLimits = defaultLimits): StreamExcerpt {
  const ends = createEndsKeeper(limits.head_bytes, limits.tail_bytes);
  let newlines = 0;
  const scan = createRedactionScan(rules, (bytes) => {
    newlines += countNewlines(bytes);
    ends.push(bytes);
  });
  return {
    push: (bytes) => scan.push(bytes),
    end() {
      scan.end();
      const whole = ends.whole();
      if (whole !== null)
        return { head: decode(whole), tail: "", omitted_lines: 0, omitted_bytes: 0, redactions: scan.count };
      const cut = ends.cut();
      const head = cut.head.subarray(0, headEnd(cut.head, cut.next));
      const from = tailStart(cut.tail, cut.before);
      const tail = cut.tail.subarray(from);
      const lines = newlines - countNewlines(head) - countNewlines(tail);
      const midLine = (from === 0 ? cut.before : cut.tail[from - 1]) !== newline;
      return {
        head: decode(head),
        tail: decode(tail),
        omitted_lines: lines + (midLine ? 1 : 0),
        omitted_bytes: cut.total - head.length - tail.length,
        redactions: scan.count,
      };
    },
  };
}
