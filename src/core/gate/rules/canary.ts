import type { AcceptanceContract } from "../../contract/index.ts";
import type { CanaryFacts, PlantedTest, RunFacts, TestCase } from "../../facts/index.ts";
import { runSubject } from "../entry-view.ts";
import { block, finding, type Rule, type RuleContext } from "../rule.ts";
import { runEvidence } from "../run-evidence.ts";
import type { Finding } from "../verdict.ts";

/**
 * Must-fail tests that were planted beside the real ones fail, and the real ones pass as often as on head. Whoever makes
 * tests pass that should not makes these pass too.
 */
export const canary: Rule = (context) => {
  const { contract, facts } = context;
  if (contract === null || facts.subject.mode === "records") return { findings: [] };
  return { findings: (facts.canary ?? []).flatMap((one) => judgeCanary(context, contract, one)) };
};

function judgeCanary(context: RuleContext, contract: AcceptanceContract, one: CanaryFacts): readonly Finding[] {
  const { facts } = context;
  const entry = contract.tests?.[one.criterion];
  const head = facts.runs.find((run) => run.criterion === one.criterion && run.purpose === "head");
  const subject = runSubject({ criterion: one.criterion, purpose: "canary" });
  if (entry === undefined || head === undefined) return [block("run-unasked", subject, "no such tests entry was run")];
  if (one.not_run !== null || one.files.every(({ planted }) => planted.length === 0)) return [];
  if (one.runs.length === 0) return [finding("undetermined", "canary-not-run", { subject, detail: entry.command })];
  return [
    ...one.runs.flatMap((run) => runEvidence(run, entry.command, facts)),
    ...one.runs.flatMap((run) => flipped(one, { head, run })),
    ...weaker(one, head),
  ];
}

/** Project, file, suite path and title, without the ordinal: a twin is one more of its original's name. */
function nameKey({ project, file, suite, title }: Omit<TestCase, "ordinal" | "state" | "errors">): string {
  return JSON.stringify([project, file, suite, title]);
}

function sameSuite(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((title, index) => title === other[index]);
}

function nameText({ file, suite, title }: Pick<TestCase, "file" | "suite" | "title">): string {
  return [file, ...suite, title].join(" > ");
}

function countBy(cases: readonly TestCase[], state: TestCase["state"]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const one of cases) if (one.state === state) counts.set(nameKey(one), (counts.get(nameKey(one)) ?? 0) + 1);
  return counts;
}

/** Planted tests that did not fail; in one run is enough. */
function flipped(one: CanaryFacts, runs: { head: RunFacts; run: RunFacts }): readonly Finding[] {
  const { head, run } = runs;
  const [before, passed, failed] = [
    countBy(head.cases, "passed"),
    countBy(run.cases, "passed"),
    countBy(run.cases, "failed"),
  ];
  return one.files.flatMap(({ file, planted }) => {
    const namesakes = (other: PlantedTest): number =>
      planted.filter((each) => each.title === other.title && sameSuite(each.suite, other.suite)).length;
    const projects = [...new Set(head.cases.filter((each) => each.file === file).map((each) => each.project))];
    return planted.flatMap((each) => {
      const { suite, title, kind, fails_by } = each;
      const least = namesakes(each);
      const keys = projects.map((project) => nameKey({ project, file, suite, title }));
      const due = kind === "stray" ? keys : keys.filter((key) => (before.get(key) ?? 0) > 0);
      const bad = due.find((key) => (failed.get(key) ?? 0) < least || (passed.get(key) ?? 0) > (before.get(key) ?? 0));
      if (due.length > 0 && bad === undefined) return [];
      const how =
        bad !== undefined && (passed.get(bad) ?? 0) > (before.get(bad) ?? 0) ? "passed" : "was not seen to fail";
      const detail = `a ${kind} that must fail by ${fails_by === "throw" ? "throwing" : "an assertion"} ${how}`;
      return [block("canary-flipped", nameText({ file, suite, title }), detail)];
    });
  });
}

/** Real tests that passed on head and in no run beside the planted ones passed as often; twins that pass too are said above. */
function weaker(one: CanaryFacts, head: RunFacts): readonly Finding[] {
  const files = new Set(one.files.filter(({ planted }) => planted.length > 0).map(({ file }) => file));
  const planted = new Set(
    one.files.flatMap((each) => each.planted.map(({ suite, title }) => JSON.stringify([each.file, suite, title]))),
  );
  const before = countBy(head.cases, "passed");
  const runs = one.runs.map((run) => countBy(run.cases, "passed"));
  const named = new Map(
    head.cases.filter((each) => files.has(each.file)).map((each) => [nameKey(each), each] as const),
  );
  return [...named].flatMap(([key, each]) => {
    const expected = before.get(key) ?? 0;
    const twinned = planted.has(JSON.stringify([each.file, each.suite, each.title]));
    const holds = (count: number): boolean => count === expected || (twinned && count > expected);
    if (expected === 0 || runs.some((counts) => holds(counts.get(key) ?? 0))) return [];
    const most = Math.max(...runs.map((counts) => counts.get(key) ?? 0));
    return [
      block("canary-flipped", nameText(each), `passed ${expected} times on head, ${most} beside must-fail tests`),
    ];
  });
}
