import type { TestIdentity } from "../facts/index.ts";
import type { EntryView } from "./entry-view.ts";
import { isRetired } from "./kept-tests.ts";
import { block, finding } from "./rule.ts";
import { identityKey, identityText } from "./test-identity.ts";
import type { Finding } from "./verdict.ts";

const lost = "it asserted on base, and passes on head without asserting anything";
const empty = "a new test that asserts nothing";

/**
 * Where base has tests without assertions, so that they cannot be refused as such: a test that asserted on base asserts
 * on head, and a new one does as the tests beside it do. Judged only where both runs were compared with stricter ones.
 */
export function assertionFindings(view: EntryView): readonly Finding[] {
  const { base, head } = view;
  if (base.without_assertions === undefined || head.without_assertions === undefined) return [];
  const silentBefore = new Set(base.without_assertions.map(identityKey));
  const judge = (one: TestIdentity): readonly Finding[] => {
    const key = identityKey(one);
    if (view.headCases.get(key)?.state !== "passed" || silentBefore.has(key)) return [];
    const subject = identityText(one);
    if (view.baseCases.get(key)?.state === "passed") {
      const mayGo = view.entry.keep_base === false || isRetired(view, one);
      return mayGo ? [] : [block("assertions-lost", subject, lost)];
    }
    const severity = peersAssert(view, one) ? "block" : "warn";
    return [finding(severity, "test-without-assertion", { subject, detail: empty })];
  };
  return head.without_assertions.flatMap(judge);
}

/** Whether every test that base has in the same file asserts; in a new file, whether any beside it does. */
function peersAssert(view: EntryView, one: TestIdentity): boolean {
  const beside = (other: TestIdentity): boolean => other.file === one.file && other.project === one.project;
  const before = view.base.cases.filter((other) => other.state === "passed" && beside(other));
  if (before.length > 0) return !(view.base.without_assertions ?? []).some(beside);
  const silent = (view.head.without_assertions ?? []).filter(beside);
  return view.head.cases.filter((other) => other.state === "passed" && beside(other)).length > silent.length;
}
