import type { Digest } from "../digest.ts";
import type { CommandRecord, LogFault } from "./record.ts";

/**
 * What does not follow from what stands before it: a wrong link, a second session, a command id that comes twice.
 * `records` are oldest first and whole; the digests themselves are taken as they are.
 */
export function verifyLinks(records: readonly CommandRecord[]): readonly LogFault[] {
  const faults: LogFault[] = [];
  const seen = new Set<string>();
  let prev: Digest | null = null;
  for (const record of records) {
    const { command_id: id } = record;
    if (record.prev !== prev) {
      const wanted = prev ?? "none";
      faults.push({
        kind: "broken-chain",
        detail: `record ${id} names ${record.prev ?? "none"} before it, not ${wanted}`,
      });
    }
    if (seen.has(id)) faults.push({ kind: "invalid-record", detail: `command id ${id} comes twice` });
    if (record.session_id !== records[0]?.session_id) {
      faults.push({ kind: "invalid-record", detail: `record ${id} belongs to another session` });
    }
    seen.add(id);
    prev = record.digest;
  }
  return faults;
}
