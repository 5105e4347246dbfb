import { runSubject, type EntryView } from "./entry-view.ts";
import { exitText } from "./exit-text.ts";
import { block, finding } from "./rule.ts";
import { identityText, isNamed, passedCount } from "./test-identity.ts";
import type { Finding } from "./verdict.ts";

/** `baseline: green`: the untouched base must pass. A base on which the command finds no test at all is not red, and is said. */
export function baseFindings(view: EntryView): readonly Finding[] {
  const { base, baseline } = view;
  const subject = runSubject(base);
  if (isEmpty(view)) return [finding("info", "base-without-tests", { subject, detail: exitText(base.exit) })];
  if (baseline !== "green" || isGreen(view)) return [];
  const bad = base.cases.filter((one) => one.state !== "passed" && one.state !== "skipped" && one.state !== "todo");
  const first = bad[0] === undefined ? "" : `, ${identityText(bad[0])}: ${bad[0].state}`;
  return [block("base-not-green", subject, `${exitText(base.exit)}, the runner says: ${base.reason}${first}`)];
}

/** Whether the untouched base already gives everything the entry demands. */
export function baseSatisfies(view: EntryView): boolean {
  const { entry, base } = view;
  if (!isGreen(view) || base.cases.length === 0) return false;
  const named = (entry.names ?? []).every((name) => {
    const cases = base.cases.filter((one) => isNamed(one, name));
    return cases.length > 0 && cases.every((one) => one.state === "passed");
  });
  return named && (entry.added ?? 0) === 0 && (entry.passed === undefined || entry.passed === passedCount(base.cases));
}

function isEmpty({ base }: EntryView): boolean {
  return (
    base.cases.length === 0 && base.modules.length === 0 && base.unhandled.length === 0 && base.faults.length === 0
  );
}

function isGreen({ base }: EntryView): boolean {
  const ended =
    base.exit.code === 0 && base.exit.error === null && base.exit.signal === null && base.reason === "passed";
  const cases = base.cases.every((one) => one.state === "passed" || one.state === "skipped" || one.state === "todo");
  const modules = base.modules.every(
    (one) => one.errors.length === 0 && (one.state === "passed" || one.state === "skipped"),
  );
  return ended && cases && modules && base.unhandled.length === 0 && base.faults.length === 0;
}
