import { formatKey, type Issue } from "./issue.ts";

/** The value, or every reason why the text is not JSON we accept. */
export type StrictJsonResult =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly issues: readonly Issue[] };

const maxDepth = 64;
const maxIssues = 20;
const maxChars = 1_048_576;
const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/uy;
const literals: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };

/**
 * Parses RFC 8259 JSON and refuses what two readers could take differently: a key that is there twice at any depth,
 * numbers that are not finite, NUL, half surrogate pairs. Never throws; `root` is the key for reasons about the whole.
 */
export function parseStrictJson(text: string, root: string): StrictJsonResult {
  if (text.length > maxChars) return { ok: false, issues: [{ key: root, reason: "is larger than 1 MiB" }] };
  const reader = new Reader(text, root);
  try {
    const value = reader.readDocument();
    return reader.issues.length === 0 ? { ok: true, value } : { ok: false, issues: reader.issues };
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    const reason = `is not JSON: ${error.reason} (${placeOf(text, error.at)})`;
    return { ok: false, issues: [...reader.issues, { key: error.key, reason }] };
  }
}

/** Line and column of a character, both from 1. */
function placeOf(text: string, at: number): string {
  const before = text.slice(0, at).split(/\r\n|\n|\r/u);
  return `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
}

/** Ends the parse at the first character that is not JSON; never leaves this file. */
class NotJson extends Error {
  readonly reason: string;
  readonly at: number;
  readonly key: string;

  constructor(reason: string, at: number, key: string) {
    super(reason);
    this.reason = reason;
    this.at = at;
    this.key = key;
  }
}

class Reader {
  readonly issues: Issue[] = [];
  readonly #text: string;
  readonly #root: string;
  readonly #path: PropertyKey[] = [];
  #at = 0;

  constructor(text: string, root: string) {
    this.#text = text;
    this.#root = root;
  }

  readDocument(): unknown {
    this.#skipSpace();
    if (this.#at === this.#text.length) this.#fail("there is nothing in it");
    const value = this.#readValue();
    this.#skipSpace();
    if (this.#at < this.#text.length) this.#fail("there is more after the end of the value");
    return value;
  }

  #readValue(): unknown {
    if (this.#path.length > maxDepth) this.#fail(`it is nested more than ${maxDepth} levels deep`);
    const char = this.#text[this.#at];
    if (char === "{") return this.#readObject();
    if (char === "[") return this.#readArray();
    if (char === '"') return this.#noteString(this.#readString());
    for (const [word, value] of Object.entries(literals)) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    return this.#readNumber();
  }

  #readObject(): unknown {
    const seen = new Set<string>();
    const entries: [string, unknown][] = [];
    this.#readItems("}", () => {
      if (this.#text[this.#at] !== '"') this.#fail("a key in double quotes is expected");
      const start = this.#at;
      const key = this.#readString();
      this.#path.push(key);
      this.#noteKey(key, seen, start);
      this.#skipSpace();
      this.#expect(":");
      this.#skipSpace();
      entries.push([key, this.#readValue()]);
      this.#path.pop();
    });
    return Object.fromEntries(entries);
  }

  #readArray(): unknown {
    const items: unknown[] = [];
    this.#readItems("]", () => {
      this.#path.push(items.length);
      items.push(this.#readValue());
      this.#path.pop();
    });
    return items;
  }

  /** Reads what stands between an opening bracket and `close`, separated by commas. */
  #readItems(close: "}" | "]", readItem: () => void): void {
    this.#at += 1;
    this.#skipSpace();
    if (this.#text[this.#at] === close) {
      this.#at += 1;
      return;
    }
    for (;;) {
      readItem();
      this.#skipSpace();
      if (this.#text[this.#at] === close) break;
      if (this.#text[this.#at] !== ",") this.#fail(`"," or "${close}" is expected`);
      this.#at += 1;
      this.#skipSpace();
    }
    this.#at += 1;
  }

  #readString(): string {
    const start = this.#at;
    let end = start + 1;
    while (end < this.#text.length && this.#text[end] !== '"') end += this.#text[end] === "\\" ? 2 : 1;
    if (end >= this.#text.length) this.#fail("a string is not closed");
    try {
      const value: unknown = JSON.parse(this.#text.slice(start, end + 1));
      this.#at = end + 1;
      return String(value);
    } catch {
      return this.#fail("a string holds a raw control character or an unknown escape");
    }
  }

  #readNumber(): number {
    numberPattern.lastIndex = this.#at;
    const match = numberPattern.exec(this.#text)?.[0];
    if (match === undefined) return this.#fail("a value is expected");
    this.#at += match.length;
    const value = Number(match);
    if (!Number.isFinite(value)) this.#note("is a number too large to be finite");
    if (Object.is(value, -0)) this.#note("is negative zero; write 0");
    return value;
  }

  #noteKey(key: string, seen: Set<string>, start: number): void {
    if (seen.has(key)) this.#noteAt("is there twice in one object", start);
    if (key === "__proto__") this.#noteAt("is not a known key", start);
    this.#noteString(key);
    seen.add(key);
  }

  #noteString(value: string): string {
    if (value.includes("\0")) this.#note("holds a NUL character");
    if (!value.isWellFormed()) this.#note("holds half of a surrogate pair, which is not text");
    return value;
  }

  /** As `#note`, with the place; that costs a pass over the text, so only while there is room for the row. */
  #noteAt(reason: string, at: number): void {
    if (this.issues.length < maxIssues) this.#note(`${reason} (${placeOf(this.#text, at)})`);
  }

  #note(reason: string): void {
    if (this.issues.length < maxIssues) this.issues.push({ key: formatKey(this.#path, this.#root), reason });
  }

  #expect(char: string): void {
    if (this.#text[this.#at] !== char) this.#fail(`"${char}" is expected`);
    this.#at += 1;
  }

  #skipSpace(): void {
    while (" \t\n\r".includes(this.#text[this.#at] ?? "x")) this.#at += 1;
  }

  #fail(reason: string): never {
    throw new NotJson(reason, this.#at, formatKey(this.#path, this.#root));
  }
}
