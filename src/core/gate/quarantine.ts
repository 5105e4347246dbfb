import type { Facts, QuarantinedTest, TestIdentity } from "../facts/index.ts";
import { finding } from "./rule.ts";
import { identityKey, isNamed } from "./test-identity.ts";
import type { Finding } from "./verdict.ts";

/** The part of the facts that says which tests are put up with. */
export type QuarantineSource = Pick<Facts, "quarantine" | "change">;

/**
 * Keys of the tests whose failure base's policy puts up with today. A file that the change touches is not among them: what
 * was written now has to pass now.
 */
export function quarantinedKeys(facts: QuarantineSource, cases: readonly TestIdentity[]): ReadonlySet<string> {
  const inForce = (facts.quarantine?.tests ?? []).filter((one) => !isOver(facts, one));
  const touched = new Set(facts.change.entries.map(({ path }) => path));
  const meant = cases.filter((one) => !touched.has(one.file) && inForce.some(({ test }) => isNamed(one, test)));
  return new Set(meant.map(identityKey));
}

/** Entries that have ended: each is told until somebody takes it out or gives it another date. */
export function endedQuarantine(facts: QuarantineSource): readonly Finding[] {
  return (facts.quarantine?.tests ?? [])
    .filter((one) => isOver(facts, one))
    .map(({ test, until, reason }) =>
      finding("warn", "quarantine-ended", { subject: test, detail: `ended on ${until}: ${reason}` }),
    );
}

/** A time that is none is over: it must not let anything stand. */
function isOver({ quarantine }: QuarantineSource, { until }: QuarantinedTest): boolean {
  const today = quarantine?.judged_at.slice(0, 10) ?? "";
  return !/^\d{4}-\d\d-\d\d$/u.test(today) || until < today;
}
