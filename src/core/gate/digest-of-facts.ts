import { digestOf, type Digest } from "../digest.ts";
import type { Facts } from "../facts/index.ts";

/**
 * The digest that a verdict gives for its facts. A record stands in it by its own digest, which names the rest of it:
 * whoever reads records (`parseRecordLine`, `parseFacts`) refuses one whose digest does not.
 */
export function digestOfFacts(facts: Facts): Digest {
  if (facts.records === null) return digestOf(facts);
  const { log } = facts.records;
  const named = { ...log, records: log.records.map((record) => record.digest) };
  return digestOf({ ...facts, records: { ...facts.records, log: named } });
}
