import { createHash } from "node:crypto";

const algorithms = ["sha512", "sha384", "sha256", "sha1"] as const;

/** The strongest digests of a subresource integrity string, as npm chooses them. */
export interface Integrity {
  readonly algorithm: (typeof algorithms)[number];
  /** Base64; any one of them is enough. */
  readonly digests: readonly string[];
}

/** Reads an integrity string; null when it names no known algorithm. */
export function parseIntegrity(text: string): Integrity | null {
  const parts = text
    .trim()
    .split(/\s+/u)
    .map((part) => /^([a-z0-9]+)-([A-Za-z0-9+/]+={0,2})(?:\?.*)?$/u.exec(part));
  for (const algorithm of algorithms) {
    const digests = parts.flatMap((part) => (part?.[1] === algorithm && part[2] !== undefined ? [part[2]] : []));
    if (digests.length > 0) return { algorithm, digests };
  }
  return null;
}

/** Whether bytes are those that an integrity string names. Unknown algorithms never match. */
export function matchesIntegrity(bytes: Uint8Array, text: string): boolean {
  const integrity = parseIntegrity(text);
  if (integrity === null) return false;
  return integrity.digests.includes(createHash(integrity.algorithm).update(bytes).digest("base64"));
}
