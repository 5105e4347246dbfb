import { digestOf } from "../digest.ts";
import type { Facts } from "../facts/index.ts";
import { factsSchema } from "./facts-schema.ts";

/** Facts, or why the text is none: at most five places with a reason each. */
export type FactsResult =
  { readonly ok: true; readonly facts: Facts } | { readonly ok: false; readonly issues: readonly string[] };

/** Reads stored facts strictly; what is not exactly facts of this version is never judged. */
export function parseFacts(json: string): FactsResult {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { ok: false, issues: ["it is not JSON"] };
  }
  const parsed = factsSchema.safeParse(value);
  if (parsed.success) return checkSeals(parsed.data);
  const issues = parsed.error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.map(String).join(".") || "facts"}: ${message}`);
  return { ok: false, issues };
}

/** A verdict names records by their digests: one that does not name the rest of its record would let another stand in. */
function checkSeals(facts: Facts): FactsResult {
  const issues = (facts.records?.log.records ?? []).flatMap(({ digest, ...rest }, index) =>
    digestOf(rest) === digest ? [] : [`records.log.records.${index}.digest: is not the digest of the record`],
  );
  return issues.length === 0 ? { ok: true, facts } : { ok: false, issues: issues.slice(0, 5) };
}
