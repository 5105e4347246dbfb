import { runSubject, type EntryView } from "./entry-view.ts";
import { exitText } from "./exit-text.ts";
import { block } from "./rule.ts";
import { identityKey, identityText, isNamed, passedCount } from "./test-identity.ts";
import type { Finding } from "./verdict.ts";

/** `passed`, `added` and `names`, counted from identities; more than was promised fails as less does. */
export function headCounts(view: EntryView): readonly Finding[] {
  const { entry, head } = view;
  const subject = runSubject(head);
  const passed = passedCount(head.cases);
  const added = addedCount(view);
  return [
    ...(entry.passed === undefined || entry.passed === passed
      ? []
      : [block("passed-count", subject, `${passed} passed (expected ${entry.passed})`)]),
    ...(entry.added === undefined || entry.added === added
      ? []
      : [block("added-count", subject, `${added} added (expected ${entry.added})`)]),
    ...(entry.names ?? []).flatMap((name) => namedFindings(view, name)),
  ];
}

/** Plainly passed on head minus plainly passed on base, without those that come and go; may be negative. */
export function addedCount({ head, base, flaky, quarantined }: EntryView): number {
  const unsteady = new Set([...flaky, ...quarantined]);
  const steady = (cases: EntryView["head"]["cases"]): number =>
    passedCount(unsteady.size === 0 ? cases : cases.filter((one) => !unsteady.has(identityKey(one))));
  return steady(head.cases) - steady(base.cases);
}

/** Every test of that name must pass: a skipped twin in another file does not hide behind a passed one. */
function namedFindings({ head }: EntryView, name: string): readonly Finding[] {
  const named = head.cases.filter((one) => isNamed(one, name));
  if (named.length === 0) return [block("named-test", name, "no such test ran")];
  return named
    .filter((one) => one.state !== "passed")
    .map((one) => block("named-test", name, `${identityText(one)}: ${one.state}`));
}

/** The criterion's line: `COMMAND: exit 0, 17 passed, 0 failed (expected 17 passed)`. */
export function entryDetail(view: EntryView): string {
  const { entry, head } = view;
  const failed = head.cases.filter((one) => one.state === "failed").length;
  const measured = [exitText(head.exit), `${passedCount(head.cases)} passed`, `${failed} failed`];
  if (entry.added !== undefined) measured.push(`${addedCount(view)} added`);
  const expected = [
    ...(entry.passed === undefined ? [] : [`${entry.passed} passed`]),
    ...(entry.added === undefined ? [] : [`${entry.added} added`]),
    ...(entry.names === undefined ? [] : [`${entry.names.length} named`]),
  ];
  return `${entry.command}: ${measured.join(", ")}${expected.length === 0 ? "" : ` (expected ${expected.join(", ")})`}`;
}
