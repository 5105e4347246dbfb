import { createHash, type Hash, hash } from "node:crypto";
import type { ObjectFormat } from "./mirror-store.ts";

/** Kinds of objects that we write. */
export type ObjectKind = "blob" | "tree";

/** The id git gives an object of these bytes. */
export function objectId(format: ObjectFormat, kind: ObjectKind, bytes: Uint8Array): string {
  return startObjectHash(format, kind, bytes.length).update(bytes).digest("hex");
}

/** A hash that has eaten the object's header already; for content that comes in pieces. */
export function startObjectHash(format: ObjectFormat, kind: ObjectKind, length: number): Hash {
  return createHash(format).update(`${kind} ${length}\0`, "latin1");
}

/** The id of a blob laid out as header and content in one piece: the quick way for many small files. */
export function hashFramed(format: ObjectFormat, framed: Uint8Array): string {
  return hash(format, framed, "hex");
}
