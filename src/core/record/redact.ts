import type { Matcher, RedactionRules } from "./redaction-rules.ts";

/** What stands where a secret stood. */
export const redactionMarker = "[redacted]";
const marker = new TextEncoder().encode(redactionMarker);

/** Bytes in front of the place looked at that a pattern may look back to. */
const lookBehind = 64;
const blockBytes = 64 * 1024;
/** How far behind its first line a private key may reach when its lines are not in one piece. */
const keyBlockBytes = 32 * 1024;
const keyBlockLine = /[A-Za-z0-9+/]{32}|-----END/u;
const isKeyByte = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[A-Za-z0-9+/=]/u.test(String.fromCharCode(byte)) ? 1 : 0,
);

/** Replaces secrets in a stream of bytes; everything else passes unchanged, one block of 64 KiB behind at most. */
export interface Redactor {
  push(bytes: Uint8Array): Uint8Array;
  end(): Uint8Array;
  /** Secrets replaced so far. */
  readonly count: number;
}

/** The same with the output handed on piece by piece. A piece is valid only during the call. */
export interface RedactionScan {
  push(bytes: Uint8Array): void;
  end(): void;
  readonly count: number;
}

interface Found {
  readonly start: number;
  /** Up to here it stays readable. */
  readonly kept: number;
  readonly end: number;
  readonly rest: Uint8Array | null;
  readonly opensKeyBlock: boolean;
}

/** The state between two blocks. `at`: first byte not handed on yet; what is before it is only looked back to. */
interface Scan {
  readonly rules: RedactionRules;
  readonly sink: (bytes: Uint8Array) => void;
  buffer: Uint8Array;
  length: number;
  at: number;
  /** The buffer as text, null until it is needed. */
  text: string | null;
  /** Set while a secret goes on that began before `at`. */
  swallows: Uint8Array | null;
  /** End of the stretch behind a private key's first line, as a place in the buffer; 0 when there is none. */
  keyBlockEnd: number;
  count: number;
}

/** The buffer as text, a character a byte; made once a block, and only where an anchor was seen. */
function textOf(scan: Scan): string {
  scan.text ??= Buffer.from(scan.buffer.buffer, scan.buffer.byteOffset, scan.length).toString("latin1");
  return scan.text;
}

function matchAt(scan: Scan, matcher: Matcher, at: number): Found | null {
  if (matcher.literalBytes !== null) {
    return { start: at, kept: at, end: at + matcher.literalBytes, rest: null, opensKeyBlock: false };
  }
  const { expression, rest, opensKeyBlock } = matcher.ready();
  // A pattern looks no further than the window, so that what else the block holds does not count.
  expression.lastIndex = at;
  const match = expression.exec(textOf(scan));
  if (match === null) return null;
  const kept = at + (match[1]?.length ?? 0);
  return { start: at, kept, end: at + match[0].length, rest: match[2] === undefined ? null : rest, opensKeyBlock };
}

/** The next long base64 run behind a private key's first line; an end line closes the stretch. */
function nextKeyLine(scan: Scan, to: number): Found | null {
  if (scan.at >= scan.keyBlockEnd) return null;
  const stop = Math.min(to, scan.keyBlockEnd);
  const match = keyBlockLine.exec(textOf(scan).slice(scan.at, stop + lookBehind));
  const start = scan.at + (match?.index ?? 0);
  if (match === null || start >= stop) return null;
  const kept = match[0].startsWith("-") ? start + match[0].length : start;
  return { start, kept, end: start + match[0].length, rest: isKeyByte, opensKeyBlock: false };
}

function nextFound(scan: Scan, to: number): Found | null {
  const line = nextKeyLine(scan, to);
  const range = { from: scan.at, to: line === null ? to : line.start, length: scan.length };
  return scan.rules.search.find(scan.buffer, range, (matcher, at) => matchAt(scan, matcher, at)) ?? line;
}

function handOn(scan: Scan, to: number): void {
  if (to > scan.at) scan.sink(scan.buffer.subarray(scan.at, to));
  scan.at = to;
}

function replace(scan: Scan, found: Found): void {
  handOn(scan, found.kept);
  if (found.opensKeyBlock) scan.keyBlockEnd = found.kept + keyBlockBytes;
  if (found.end > found.kept) {
    scan.sink(marker);
    scan.count += 1;
    scan.swallows = found.rest;
  } else if (!found.opensKeyBlock) scan.keyBlockEnd = 0;
  scan.at = found.end;
}

/** Skips what belongs to the secret that was just replaced; true when its end is not here yet. */
function swallow(scan: Scan): boolean {
  if (scan.swallows === null) return false;
  while (scan.at < scan.length && scan.swallows[scan.buffer[scan.at] ?? 0] === 1) scan.at += 1;
  if (scan.at === scan.length) return true;
  scan.swallows = null;
  return false;
}

/** Decides every place that has a whole window behind it; at the end every place. */
function scanBlock(scan: Scan, final: boolean): void {
  const to = final ? scan.length : scan.length - scan.rules.window;
  while (scan.at < to && !swallow(scan)) {
    // A secret may reach beyond `to`; then nothing of this block is left to decide.
    const found = scan.at < to ? nextFound(scan, to) : null;
    if (found === null) handOn(scan, Math.max(to, scan.at));
    else replace(scan, found);
  }
}

/** Moves what is still needed to the buffer's beginning. */
function shift(scan: Scan): void {
  const from = Math.max(0, scan.at - lookBehind);
  scan.buffer.copyWithin(0, from, scan.length);
  scan.length -= from;
  scan.text = null;
  scan.at -= from;
  scan.keyBlockEnd = Math.max(0, scan.keyBlockEnd - from);
}

function take(scan: Scan, bytes: Uint8Array): void {
  for (let from = 0; from < bytes.length;) {
    const part = bytes.subarray(from, from + scan.buffer.length - scan.length);
    scan.buffer.set(part, scan.length);
    scan.length += part.length;
    scan.text = null;
    from += part.length;
    if (scan.length < scan.buffer.length) continue;
    scanBlock(scan, false);
    shift(scan);
  }
}

/**
 * Replaces secrets block by block. Each place is decided with the same bytes in view however the stream was cut, so any
 * chunking gives the same output. `block` (bytes, even) is for tests and short texts.
 */
export function createRedactionScan(
  rules: RedactionRules,
  sink: (bytes: Uint8Array) => void,
  block: number = blockBytes,
): RedactionScan {
  const size = lookBehind + block + rules.window;
  const empty = new Uint8Array(0);
  const scan: Scan = {
    rules,
    sink,
    buffer: empty,
    length: 0,
    at: 0,
    text: null,
    swallows: null,
    keyBlockEnd: 0,
    count: 0,
  };
  return {
    push(bytes) {
      if (scan.buffer === empty) scan.buffer = new Uint8Array(size + (size % 2));
      take(scan, bytes);
    },
    end() {
      scanBlock(scan, true);
    },
    get count() {
      return scan.count;
    },
  };
}

/** A redactor that returns its output. Any chunking of the same bytes gives the same output in total. */
export function createRedactor(rules: RedactionRules, block: number = blockBytes): Redactor {
  let pieces: Uint8Array[] = [];
  const scan = createRedactionScan(rules, (bytes) => pieces.push(bytes.slice()), block);
  const drain = (): Uint8Array => {
    const output = Buffer.concat(pieces);
    pieces = [];
    return output;
  };
  return {
    push(bytes) {
      scan.push(bytes);
      return drain();
    },
    end() {
      scan.end();
      return drain();
    },
    get count() {
      return scan.count;
    },
  };
}

/** Replaces secrets in a short text: an error's words, a path. Lone surrogates become U+FFFD. */
export function redactText(text: string, rules: RedactionRules): string {
  const bytes = Buffer.from(text, "utf8");
  const redactor = createRedactor(rules, bytes.length + (bytes.length % 2));
  const output = Buffer.concat([redactor.push(bytes), redactor.end()]);
  return redactor.count === 0 ? text : output.toString("utf8");
}

const flagName = /^--?[\w-]+$/u;

/** Replaces secrets in the words of a command, also in a word that is the value of a flag: `--password`, value. */
export function redactArgv(argv: readonly string[], rules: RedactionRules): readonly string[] {
  return argv.map((word, index) => {
    const alone = redactText(word, rules);
    const before = argv[index - 1];
    if (before === undefined || !flagName.test(before) || alone !== word) return alone;
    const pair = redactText(`${before}=${word}`, rules);
    return pair.startsWith(`${before}=`) ? pair.slice(before.length + 1) : word;
  });
}
