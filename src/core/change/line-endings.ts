/** The attributes of base that decide a path's normal form, as `check-attr` prints their values. */
export interface PathAttributes {
  readonly text: string;
  readonly crlf: string;
  readonly eol: string;
  readonly filter: string;
  readonly ident: string;
  readonly "working-tree-encoding": string;
}

/** Attribute names in the order they are asked for. */
export const attributeNames = ["text", "crlf", "eol", "filter", "ident", "working-tree-encoding"] as const;

/** What `git add` does with CRLF: nothing, always to LF, or to LF when the content looks like text. */
export type LineEndingRule = "as-is" | "text" | "auto";

/** The rule for a path. `fallback` holds where attributes say nothing: `auto` is what `core.autocrlf` gives. */
export function lineEndingRule(
  attributes: PathAttributes | null,
  fallback: "as-is" | "auto" = "as-is",
): LineEndingRule {
  if (attributes === null) return fallback;
  const text = ruleOf(attributes.text) ?? ruleOf(attributes.crlf);
  if (text === "as-is") return "as-is";
  const eol = attributes.eol === "lf" || attributes.eol === "crlf";
  if (text === undefined) return eol ? "text" : fallback;
  return text;
}

/** CRLF made LF; the same array when there is none. */
export function withoutCarriageReturns(bytes: Uint8Array): Uint8Array {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!source.includes("\r\n", 0, "latin1")) return bytes;
  const target = Buffer.allocUnsafe(source.length);
  let length = 0;
  for (let at = 0; at < source.length; at++) {
    const byte = source[at] ?? 0;
    if (byte === 0x0d && source[at + 1] === 0x0a) continue;
    target[length++] = byte;
  }
  return target.subarray(0, length);
}

/** Git's guess for `text=auto`: no NUL, no lone CR, few unprintable bytes. */
export function looksLikeText(bytes: Uint8Array): boolean {
  let printable = 0;
  let odd = 0;
  const end = bytes.length > 0 && bytes[bytes.length - 1] === 0x1a ? bytes.length - 1 : bytes.length;
  for (let at = 0; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === 0 || (byte === 0x0d && bytes[at + 1] !== 0x0a)) return false;
    if (byte === 0x0d || byte === 0x0a) continue;
    // DEL and controls are odd, but for BS, HT, ESC and FF.
    const isOdd = byte === 0x7f || (byte < 0x20 && byte !== 0x08 && byte !== 0x09 && byte !== 0x1b && byte !== 0x0c);
    if (isOdd) odd += 1;
    else printable += 1;
  }
  return Math.floor(printable / 128) >= odd;
}

function ruleOf(value: string): LineEndingRule | undefined {
  if (value === "set" || value === "input") return "text";
  if (value === "unset") return "as-is";
  return value === "auto" ? "auto" : undefined;
}
