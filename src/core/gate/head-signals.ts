import type { TestCase, TestModule } from "../facts/index.ts";
import { runSubject, type EntryView } from "./entry-view.ts";
import { exitText } from "./exit-text.ts";
import type { FindingCode } from "./finding-codes.ts";
import { block, finding } from "./rule.ts";
import { identityKey, identityText, stateText } from "./test-identity.ts";
import type { Finding } from "./verdict.ts";

/** Whether every signal of the head run says that the tests passed, or that nothing is worse than on base where that may stand. */
export function headSignals(view: EntryView): readonly Finding[] {
  const parts = [...caseSignals(view), ...moduleSignals(view), ...unhandledSignals(view)];
  return [...emptiness(view), ...parts, ...endSignals(view, parts), ...written(view)];
}

/** Sources and tests: what they were while the tests ran decides, whatever stands there in the end. */
const code = /\.(?:[cm]?[jt]sx?|py|go|rs|vue|svelte|snap|json)$/iu;

/** A test that rewrites a source tests something else than what would be published; what base's own run writes too may stand. */
function written({ head, base }: EntryView): readonly Finding[] {
  const before = new Set([...(base.tree_written ?? []), ...(base.tree_put_back ?? [])]);
  const fresh = (paths: readonly string[] | undefined): readonly string[] =>
    (paths ?? []).filter((path) => !before.has(path));
  const left = fresh(head.tree_written).map((path) =>
    block("tree-written", path, `${runSubject(head)} changed or removed it`),
  );
  const putBack = fresh(head.tree_put_back).map((path) => {
    const detail = `${runSubject(head)} wrote to it and put it back`;
    return finding(code.test(path) ? "block" : "warn", "tree-written", { subject: path, detail });
  });
  return [...left, ...putBack];
}

function emptiness({ head }: EntryView): readonly Finding[] {
  if (head.cases.length > 0) return [];
  const misplaced = (head.elsewhere ?? []).map(
    ({ argument, directories }) =>
      `; ${argument} names no file there, but one in ${directories.map(placeText).join(", ")}`,
  );
  const detail = `the runner reported no test in ${placeText(head.cwd)}${misplaced.join("")}`;
  return [block("no-tests-ran", runSubject(head), detail)];
}

function placeText(directory: string): string {
  return directory === "" ? "the repository's root" : directory;
}

/** Exit and reason must be those of a pass; where failures may stand, they must be explained by one that base has too. */
function endSignals({ head, base, tolerant, entry }: EntryView, parts: readonly Finding[]): readonly Finding[] {
  const subject = runSubject(head);
  const flaky = parts.some((one) => one.code === "flaky-on-base" || one.code === "quarantined");
  const explained = tolerant && (flaky || parts.some((one) => one.code === "failing-on-base"));
  const endedAlike = explained && head.reason === "failed" && (flaky || base.reason === "failed");
  const exitStands = head.exit.code === 0 || head.exit.code === null || explained;
  return [
    ...(exitStands ? [] : [block("test-exit", subject, `${entry.command}: ${exitText(head.exit)}`)]),
    ...(head.reason === "passed" || endedAlike
      ? []
      : [block("run-not-passed", subject, `the runner says: ${head.reason}`)]),
  ];
}

function caseSignals(view: EntryView): readonly Finding[] {
  return view.head.cases.flatMap((one) => {
    // Skipped and todo tests are only not counted; `kept-tests.ts` blocks those that passed on base.
    if (one.state === "skipped" || one.state === "todo") return [];
    if (one.state === "passed" && one.errors.length === 0) return [];
    if (one.state === "failed" && view.flaky.has(identityKey(one)))
      return [
        finding("info", "flaky-on-base", { subject: identityText(one), detail: "fails now and then on base too" }),
      ];
    if (one.state === "failed" && view.quarantined.has(identityKey(one)))
      return [finding("info", "quarantined", { subject: identityText(one), detail: stateText(one) })];
    const detail = one.state === "passed" ? `passed with errors: ${one.errors[0] ?? ""}` : stateText(one);
    return [judged("test-not-plainly-passed", identityText(one), { detail, stands: stoodOnBase(view, one) })];
  });
}

/** A failure that base has too; an expected failure that base declares too hides nothing, whatever the exit. */
function stoodOnBase(view: EntryView, one: TestCase): boolean {
  const before = view.baseCases.get(identityKey(one));
  if (before === undefined || before.state !== one.state || one.state === "passed") return false;
  return view.tolerant || (view.baseline === "no-worse" && one.state === "expected-failure");
}

function moduleSignals(view: EntryView): readonly Finding[] {
  const { head, base } = view;
  const same = (a: TestModule, b: { project: string; file: string }): boolean =>
    a.project === b.project && a.file === b.file;
  return head.modules.flatMap((module) => {
    const before = base.modules.find((one) => same(one, module));
    const empty = !head.cases.some((one) => same(module, one));
    const emptyBefore = before !== undefined && !base.cases.some((one) => same(module, one));
    const known =
      before !== undefined &&
      before.state === module.state &&
      module.errors.every((error) => before.errors.includes(error));
    // A file that is red only for its failed tests has been said by them.
    const unexplained =
      module.state === "failed" && !head.cases.some((one) => same(module, one) && one.state === "failed");
    const bad = unexplained || module.state === "pending" || module.errors.length > 0;
    const detail = module.errors[0] ?? module.state;
    return [
      ...(bad ? [judged("module-failed", module.file, { detail, stands: view.tolerant && known })] : []),
      ...(empty
        ? [
            judged("module-empty", module.file, {
              detail: "no test in it",
              // A helper beside the tests that the runner takes for one of them, as on base.
              stands: (view.tolerant || module.state === "passed") && known && emptyBefore,
            }),
          ]
        : []),
    ];
  });
}

function unhandledSignals(view: EntryView): readonly Finding[] {
  return view.head.unhandled.map((error) => {
    const stands = view.tolerant && view.base.unhandled.includes(error);
    return judged("unhandled-error", runSubject(view.head), { detail: error, stands });
  });
}

function judged(code: FindingCode, subject: string, result: { detail: string; stands: boolean }): Finding {
  const { detail, stands } = result;
  return stands ? finding("info", "failing-on-base", { subject, detail }) : block(code, subject, detail);
}
