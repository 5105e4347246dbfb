import { createHash } from "node:crypto";
import canonicalize from "canonicalize";

/** `sha256:` and 64 lower-case hex digits. */
export type Digest = `sha256:${string}`;

/** The SHA-256 of bytes or of a string's UTF-8 form. */
export function sha256(data: Uint8Array | string): Digest {
  return `sha256:${createHash("sha256").update(data).digest("hex")}`;
}

/** RFC 8785 canonical JSON: the one form that is hashed and stored. Throws on values JSON cannot hold. */
export function canonicalJson(value: unknown): string {
  // For what the engine itself writes canonically once keys are in order, many times faster; all else is the library's.
  const sorted = withSortedKeys(value);
  const text = sorted === notPlain ? canonicalize(value) : JSON.stringify(sorted);
  if (text === undefined) throw new TypeError("value has no JSON form");
  return text;
}

/** A value that only the library can write. */
const notPlain = Symbol("not plain");

/**
 * The same value with the keys of every object in order, parts that are so already shared; `notPlain` for anything but null,
 * booleans, finite numbers, well-formed strings, dense arrays and plain objects whose keys are no array indexes (the engine
 * would write those first).
 */
function withSortedKeys(value: unknown): unknown {
  switch (typeof value) {
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) ? value : notPlain;
    case "string":
      return value.isWellFormed() ? value : notPlain;
    case "object":
      if (value === null) return null;
      return Array.isArray(value) ? withSortedItems(value) : withSortedMembers(value);
    default:
      return notPlain;
  }
}

function withSortedItems(items: readonly unknown[]): unknown {
  let copy: unknown[] | null = null;
  for (let index = 0; index < items.length; index += 1) {
    const item = withSortedKeys(items[index]);
    if (item === notPlain) return notPlain;
    if (item !== items[index]) copy ??= [...items];
    if (copy !== null) copy[index] = item;
  }
  return copy ?? items;
}

const firstDigit = 0x30;
const lastDigit = 0x39;

function withSortedMembers(value: object): unknown {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return notPlain;
  const members = value as Readonly<Record<string, unknown>>;
  const keys = Object.keys(members);
  if (!keys.every(isPlainKey)) return notPlain;
  const inOrder = keys.every((key, index) => index === 0 || (keys[index - 1] ?? "") < key);
  if (!inOrder) keys.sort(compareText);
  let copy: Record<string, unknown> | null = inOrder ? null : bare();
  for (const [index, key] of keys.entries()) {
    const member = withSortedKeys(members[key]);
    if (member === notPlain) return notPlain;
    if (member !== members[key] && copy === null) {
      copy = bare();
      for (const before of keys.slice(0, index)) copy[before] = members[before];
    }
    if (copy !== null) copy[key] = member;
  }
  return copy ?? value;
}

/** An object whose every key, `__proto__` too, is its own. */
function bare(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}

function isPlainKey(key: string): boolean {
  const code = key.charCodeAt(0);
  return !(code >= firstDigit && code <= lastDigit) && key !== "toJSON" && key.isWellFormed();
}

/** The digest of a value's canonical JSON. */
export function digestOf(value: unknown): Digest {
  return sha256(canonicalJson(value));
}

/** Compares strings by UTF-16 code unit, the same on every machine and locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
