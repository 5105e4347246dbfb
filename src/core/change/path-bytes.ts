/**
 * A path as git holds it, one character a byte (`latin1`): lossless, cheap to compare in git's own order.
 * Everything inside the git rooms uses this form; only facts carry the readable one.
 */
export type BytePath = string;

/** A path for people and rules. When the bytes are not UTF-8 each broken byte stands as `\xHH`. */
export interface ReadablePath {
  readonly path: string;
  readonly valid_utf8: boolean;
}

const ascii = /^[\0-\x7f]*$/u;
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The readable form of a byte path. */
export function decodePath(bytes: BytePath): ReadablePath {
  if (ascii.test(bytes)) return { path: bytes, valid_utf8: true };
  const raw = Buffer.from(bytes, "latin1");
  try {
    return { path: strict.decode(raw), valid_utf8: true };
  } catch {
    return { path: escapeBroken(raw), valid_utf8: false };
  }
}

/** The byte form of a readable path; paths that were not UTF-8 do not come back. */
export function encodePath(path: string): BytePath {
  return ascii.test(path) ? path : Buffer.from(path, "utf8").toString("latin1");
}

/** Git's order of entries inside one directory: a directory sorts as if its name ended in `/`. */
export function compareBytes(a: BytePath, b: BytePath): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function escapeBroken(raw: Buffer): string {
  let text = "";
  let at = 0;
  while (at < raw.length) {
    const length = validLength(raw, at);
    text += length === 0 ? `\\x${raw.toString("hex", at, at + 1)}` : strict.decode(raw.subarray(at, at + length));
    at += length === 0 ? 1 : length;
  }
  return text;
}

/** How many bytes the UTF-8 sequence at `at` has; 0 when there is none. */
function validLength(raw: Buffer, at: number): number {
  for (let length = 1; length <= 4 && at + length <= raw.length; length++) {
    try {
      strict.decode(raw.subarray(at, at + length));
      return length;
    } catch {
      // A longer piece may be whole.
    }
  }
  return 0;
}
