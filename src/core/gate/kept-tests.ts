import { matchesAny, type TestsEntry } from "../contract/index.ts";
import type { TestIdentity } from "../facts/index.ts";
import type { EntryView } from "./entry-view.ts";
import { finding } from "./rule.ts";
import { identityKey, identityText, isNamed, stateText } from "./test-identity.ts";
import type { Finding } from "./verdict.ts";

/** Every test that passed plainly on base passes plainly on head, unless the entry retires it or says `keep_base: false`. */
export function keptTests(view: EntryView): readonly Finding[] {
  if (view.entry.keep_base === false) return [];
  return view.base.cases.flatMap((before) => {
    if (before.state !== "passed" || isRetired(view, before)) return [];
    if (view.flaky.has(identityKey(before))) return goneOnBase(view, before);
    const after = view.headCases.get(identityKey(before));
    if (after?.state === "passed") return [];
    // It may fail, and is listed where head's failures are; it may not go.
    if (after?.state === "failed" && view.quarantined.has(identityKey(before))) return [];
    const gone = after === undefined || after.state === "skipped" || after.state === "todo";
    const how = after === undefined ? "gone" : stateText(after);
    const [code, detail] = [
      gone ? ("test-removed" as const) : ("test-regressed" as const),
      `passed on base, on head ${how}`,
    ];
    return [finding(gone && view.persons ? "warn" : "block", code, { subject: identityText(before), detail })];
  });
}

/** One that fails on head is listed where head's failures are; one that is gone there comes and goes on base too. */
function goneOnBase(view: EntryView, before: TestIdentity): readonly Finding[] {
  if (view.headCases.has(identityKey(before))) return [];
  return [finding("info", "flaky-on-base", { subject: identityText(before), detail: "comes and goes on base too" })];
}

/** `retired` names tests, files or globs of files. */
export function isRetired({ entry }: { readonly entry: TestsEntry }, one: TestIdentity): boolean {
  return (entry.retired ?? []).some((item) => isNamed(one, item) || matchesAny([item], one.file));
}
