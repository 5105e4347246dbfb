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
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("value has no JSON form");
  return text;
}

/** The digest of a value's canonical JSON. */
export function digestOf(value: unknown): Digest {
  return sha256(canonicalJson(value));
}

/** Compares strings by UTF-16 code unit, the same on every machine and locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
