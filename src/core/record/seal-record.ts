import { canonicalJson, digestOf, type Digest } from "../digest.ts";
import type { CommandRecord, RecordDraft } from "./record.ts";

/** Gives a record its place in the chain: the digest of the one before it, and its own over all the rest. */
export function sealRecord(draft: RecordDraft, prev: Digest | null): CommandRecord {
  const chained = { ...draft, prev };
  return { ...chained, digest: digestOf(chained) };
}

/** The one form of a record in a log: canonical JSON and a newline. */
export function encodeRecord(record: CommandRecord): string {
  return `${canonicalJson(record)}\n`;
}
