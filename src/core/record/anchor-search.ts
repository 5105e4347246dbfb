/** Literal bytes to look for, and what they stand for. */
export interface Anchor<T> {
  readonly bytes: Uint8Array;
  readonly caseless: boolean;
  readonly value: T;
}

/** Bytes from `from` (inclusive) to `to` (exclusive) where an anchor may begin; it may reach on to `length`. */
export interface SearchRange {
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

/** Finds the first anchor that `accept` agrees to; two bytes a step, so that output without secrets costs little. */
export interface AnchorSearch<T> {
  find<M>(bytes: Uint8Array, range: SearchRange, accept: (value: T, at: number) => M | null): M | null;
}

interface Entry<T> extends Anchor<T> {
  /** Where in the anchor the pair stands that gave the hit. */
  readonly offset: number;
}

/** Letters of English from common to rare: a pair of rare ones gives fewer false hits. */
const common = "etaoinsrhldcumfpgwybvkxjqz";
const lower = (byte: number): number => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte);

/** How common each byte is in output, from 1. */
const weights = new Uint8Array(256).fill(2);
for (const byte of [0x20, 0x2d, 0x2f]) weights[byte] = 12;
for (let rank = 0; rank < common.length; rank += 1) weights[common.charCodeAt(rank)] = common.length + 1 - rank;

/** The place in an anchor of the three bytes that are rarest in output. */
function rarest(bytes: Uint8Array, caseless: boolean): number {
  const weightAt = (at: number): number => weights[caseless ? lower(bytes[at] ?? 0) : (bytes[at] ?? 0)] ?? 0;
  const cost = (at: number): number => weightAt(at + 1) * (weightAt(at) + weightAt(at + 2));
  let best = 0;
  let least = cost(0);
  for (let at = 1; at + 2 < bytes.length; at += 1) {
    const here = cost(at);
    if (here < least) [best, least] = [at, here];
  }
  return best;
}

function cases(byte: number, caseless: boolean): readonly number[] {
  const small = lower(byte);
  return caseless && small >= 0x61 && small <= 0x7a ? [small, small - 0x20] : [byte];
}

const littleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** A pair of bytes as one number, in the byte order of this machine's 16-bit views. */
function pairKey(first: number, second: number): number {
  return littleEndian ? first | (second << 8) : (first << 8) | second;
}

function beginsAt<T>(bytes: Uint8Array, { at, length }: { at: number; length: number }, anchor: Anchor<T>): boolean {
  if (at + anchor.bytes.length > length) return false;
  for (let step = 0; step < anchor.bytes.length; step += 1) {
    const seen = bytes[at + step] ?? 0;
    const wanted = anchor.bytes[step] ?? 0;
    if (seen !== wanted && !(anchor.caseless && lower(seen) === lower(wanted))) return false;
  }
  return true;
}

/** Prepares a search for anchors of three bytes or more. The bytes searched must begin at an even place of their buffer. */
export function createAnchorSearch<T>(anchors: readonly Anchor<T>[]): AnchorSearch<T> {
  const table = new Uint8Array(0x10000);
  const entries = new Map<number, Entry<T>[]>();
  let reach = 0;
  const register = (anchor: Anchor<T>, offset: number): void => {
    reach = Math.max(reach, offset);
    for (const first of cases(anchor.bytes[offset] ?? 0, anchor.caseless)) {
      for (const second of cases(anchor.bytes[offset + 1] ?? 0, anchor.caseless)) {
        const key = pairKey(first, second);
        table[key] = 1;
        const entry = { ...anchor, offset };
        const known = entries.get(key)?.push(entry);
        if (known === undefined) entries.set(key, [entry]);
      }
    }
  };
  for (const anchor of anchors) {
    if (anchor.bytes.length < 3) throw new RangeError("an anchor has three bytes or more");
    const offset = rarest(anchor.bytes, anchor.caseless);
    // A pair stands at an even place or one before it: of two neighbouring pairs one is always seen.
    register(anchor, offset);
    register(anchor, offset + 1);
  }
  return { find: (bytes, range, accept) => findAnchor({ table, entries, reach }, { bytes, range }, accept) };
}

interface Index<T> {
  readonly table: Uint8Array;
  readonly entries: ReadonlyMap<number, readonly Entry<T>[]>;
  /** The furthest that a pair stands behind its anchor's beginning. */
  readonly reach: number;
}

/** The next place from `pair` on whose pair stands in the table, or `end`. All output passes here: eight bytes a step. */
function nextHit(table: Uint8Array, pairs: Uint16Array, { pair, end }: { pair: number; end: number }): number {
  let at = pair;
  for (const last = end - 3; at < last; at += 4) {
    const a = table[pairs[at] as number] as number;
    const b = table[pairs[at + 1] as number] as number;
    const c = table[pairs[at + 2] as number] as number;
    const d = table[pairs[at + 3] as number] as number;
    if ((a | b | c | d) !== 0) break;
  }
  while (at < end && table[pairs[at] as number] === 0) at += 1;
  return at;
}

function findAnchor<T, M>(
  index: Index<T>,
  { bytes, range }: { bytes: Uint8Array; range: SearchRange },
  accept: (value: T, at: number) => M | null,
): M | null {
  const { table, entries, reach } = index;
  const pairs = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1);
  const end = Math.min(pairs.length, (range.length + 1) >> 1, ((range.to + reach) >> 1) + 1);
  for (let pair = range.from >> 1; ; pair += 1) {
    pair = nextHit(table, pairs, { pair, end });
    if (pair >= end) return null;
    for (const entry of entries.get(pairs[pair] as number) ?? []) {
      const at = pair * 2 - entry.offset;
      if (at < range.from || at >= range.to || !beginsAt(bytes, { at, length: range.length }, entry)) continue;
      const match = accept(entry.value, at);
      if (match !== null) return match;
    }
  }
}
