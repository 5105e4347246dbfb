import { matchesAny, type AcceptanceContract } from "../contract/index.ts";
import type { CanaryFacts, Facts, IsolationFeature } from "../facts/index.ts";
import { isPersons } from "./profile.ts";
import { measureDirection } from "./measured-direction.ts";
import { listed, type RuleContext } from "./rule.ts";
import { runnerIsolation } from "./runner-isolation.ts";
import type { Grade, Verdict } from "./verdict.ts";

interface Cost {
  /** The best grade that is left. */
  readonly cap: Grade;
  readonly sentence: string;
}

const byWorth: readonly Grade[] = ["D", "C", "B", "A"];

/** Whether a grade is at least as good as the one demanded. */
export function reachesGrade(value: Grade, minimum: Grade): boolean {
  return byWorth.indexOf(value) >= byWorth.indexOf(minimum);
}

/**
 * How well the evidence was made, with a sentence for everything that it costs. A is a clean room, full isolation, an isolated
 * witness, identities, direction and canary; a sentence that costs nothing says what is weaker all the same.
 */
export function gradeOf(context: RuleContext): Verdict["grade"] {
  const costs = [
    ...runCosts(context),
    ...baseCosts(context),
    ...roomCosts(context.facts),
    ...rootCosts(context),
    ...profileCosts(context),
    ...surroundingCosts(context.contract),
    ...projectCosts(context),
    ...directionCosts(context),
    ...canaryCosts(context),
    ...testlessCosts(context),
  ];
  return total(costs);
}

/** The best grade that a delivery can reach, as far as base, contract and this machine decide it. */
export function reachableGrade(known: {
  readonly contract: AcceptanceContract;
  readonly runs: Facts["runs"];
  readonly isolation: Facts["isolation"];
}): Verdict["grade"] {
  const { contract, runs, isolation } = known;
  const testless = contract.tests === undefined ? [withoutTests] : [];
  return total([
    ...isolationCosts({ runs }),
    ...assertionCosts(runs),
    ...roomCosts({ isolation }),
    ...surroundingCosts(contract),
    ...testless,
  ]);
}

function total(costs: readonly Cost[]): Verdict["grade"] {
  const value = costs.reduce<Grade>((grade, { cap }) => (reachesGrade(cap, grade) ? grade : cap), "A");
  return { value, costs: costs.map(({ sentence }) => sentence) };
}

function runCosts({ facts, contract }: RuleContext): readonly Cost[] {
  if (facts.subject.mode === "records") {
    return [{ cap: "D", sentence: "Only the session's own command records were read: nothing was run again." }];
  }
  const asked = [contract?.tests, contract?.commands, contract?.held_out_tests].some((list) => list !== undefined);
  const ran =
    facts.runs.some((run) => run.purpose === "head") ||
    facts.commands.some((one) => one.kind === "command") ||
    (facts.held_out ?? []).some((one) => one.purpose === "head" && one.tree !== null);
  if (contract === null)
    return [{ cap: "D", sentence: "There is no contract, so no test or command was run by the executor." }];
  if (asked && !ran) return [{ cap: "D", sentence: "Nothing that the contract asks to run was run by the executor." }];
  if (!asked)
    return [
      {
        cap: "B",
        sentence: "The contract asks for no test and no command: the grade covers the facts of the change only.",
      },
    ];
  return [...isolationCosts(facts), ...assertionCosts(facts.runs)];
}

/** What each runner's own way of running costs, whatever else holds; see `runner-isolation.ts`. */
function isolationCosts(facts: Pick<Facts, "runs" | "held_out">): readonly Cost[] {
  const heldOut = (facts.held_out ?? []).flatMap(({ runner }) => (runner === null ? [] : [runner.name]));
  const names = [...new Set([...facts.runs.map((run) => run.runner.name), ...heldOut])];
  return names.flatMap((name) => {
    const { best, sentence } = runnerIsolation(name);
    return sentence === null ? [] : [{ cap: best, sentence }];
  });
}

/** Where base's own tests do not allow that a test without an assertion fails. */
function assertionCosts(runs: Facts["runs"]): readonly Cost[] {
  const lenient = runs.filter((run) => !run.assertions_required && run.cases.length > 0);
  if (lenient.length === 0) return [];
  const why = lenient.every((run) => run.without_assertions !== undefined)
    ? ", since base has such tests; one that asserted on base must still assert."
    : ": base's tests assert in no way that the runner can see, so an emptied test is not noticed.";
  return [{ cap: "B", sentence: `A test without an assertion counts as passed${why}` }];
}

function baseCosts({ facts: { subject, request } }: RuleContext): readonly Cost[] {
  if (!subject.base_pinned)
    return [{ cap: "C", sentence: "Base and contract come from files the agent could change." }];
  const session = subject.mode === "check" && request === undefined;
  return session
    ? [{ cap: "B", sentence: "Base and contract are those of a session, which this user's programs could rewrite." }]
    : [];
}

function roomCosts({ isolation }: Pick<Facts, "isolation">): readonly Cost[] {
  if (isolation === null || isolation.driver === "unconfined" || isolation.work_tree === "none") {
    return [{ cap: "C", sentence: "There was no clean room: the tests ran without isolation from this machine." }];
  }
  const said = (wanted: IsolationFeature["state"]): string =>
    isolation.features
      .filter(({ state }) => state === wanted)
      .map(({ name, detail }) => (detail === "" ? name : `${name} (${detail})`))
      .join(", ");
  const costs: readonly Cost[] = [
    { cap: "C", sentence: `The sandbox attacked itself and did not hold: ${said("failed")}.` },
    { cap: "B", sentence: `The sandbox had no: ${said("missing")}.` },
    { cap: "B", sentence: `The sandbox did not try itself on: ${said("not-tried")}.` },
  ];
  return costs.filter(({ sentence }) => !sentence.endsWith(": ."));
}

/** What the contract has stand around its runs. */
function surroundingCosts(contract: AcceptanceContract | null): readonly Cost[] {
  const names = (contract?.services ?? []).map((one) => one.name);
  return [
    ...(contract?.needs?.includes("proc") === true
      ? [{ cap: "B" as const, sentence: "The tests saw the sandbox's real /proc, as the contract asks." }]
      : []),
    ...(names.length === 0
      ? []
      : [{ cap: "B" as const, sentence: `Services ran beside the tests, as the contract asks: ${names.join(", ")}.` }]),
  ];
}

/** A project that was left alone may still use what was changed in another. */
function projectCosts({ unaffected = [] }: RuleContext): readonly Cost[] {
  if (unaffected.length === 0) return [];
  const sentence = `Not run, since no changed path lies in them: ${listed(unaffected)}. Whether they use what was changed was not followed.`;
  return [{ cap: "B", sentence }];
}

function rootCosts({ facts, contract }: RuleContext): readonly Cost[] {
  return facts.trust_roots.changed
    .filter(({ path }) => matchesAny(contract?.allow_protected ?? [], path))
    .map(({ path, why, restored }) => {
      const pinned = restored || why === "name";
      const sentence = `${path} steers the tests and was changed; the contract allows it${restored ? "" : ", and the tests ran with the change"}.`;
      return { cap: pinned ? "B" : "C", sentence };
    });
}

/** A person's own configuration and expectations are shown, not stopped. */
function profileCosts({ facts }: RuleContext): readonly Cost[] {
  if (!isPersons(facts)) return [];
  const sentence = `Judged by the profile of a person (${facts.profile?.because ?? ""}): what steers the tests may change with them.`;
  return [{ cap: "B", sentence }];
}

/** What new and changed tests were not shown to do over the other side's sources. */
function directionCosts({ facts, contract }: RuleContext): readonly Cost[] {
  if (contract === null || facts.subject.mode === "records") return [];
  const measured = measureDirection(facts, contract);
  return [...(contract.tests ?? []).keys()].flatMap((index): readonly Cost[] => {
    const one = measured.find((each) => each.index === index);
    const why = one === undefined ? "its runs were not made" : one.notRun;
    if (why !== null) return [{ cap: "B", sentence: `Direction of tests[${index}] was not measured: ${why}.` }];
    if (one === undefined || one.red === 0 || one.byAssertion > 0) return [];
    const sentence = `No new test of tests[${index}] fails on base by an assertion: each stops there in another way.`;
    return [{ cap: "A", sentence }];
  });
}

/** Where no must-fail test stood beside the real ones. */
function canaryCosts({ facts, contract }: RuleContext): readonly Cost[] {
  if (contract === null || facts.subject.mode === "records") return [];
  return [...(contract.tests ?? []).keys()].flatMap((index): readonly Cost[] => {
    const one = facts.canary?.find((each) => each.criterion === index);
    const why = one === undefined ? "its runs were not made" : (one.not_run ?? unplanted(one));
    return why === null ? [] : [{ cap: "B", sentence: `No canary stood beside tests[${index}]: ${why}.` }];
  });
}

function unplanted({ files, runs }: CanaryFacts): string | null {
  const bare = files.filter((one) => one.planted.length === 0).map((one) => one.file);
  if (bare.length > 0) return `nothing could be planted in ${listed(bare)}`;
  return files.length === 0 || runs.length === 0 ? "there was no test file to plant in" : null;
}

/** Without a test run there is nothing whose identity, direction or canary could be judged. */
function testlessCosts({ facts, contract }: RuleContext): readonly Cost[] {
  if (contract === null || facts.subject.mode === "records" || contract.tests !== undefined) return [];
  return [withoutTests];
}

const withoutTests: Cost = {
  cap: "B",
  sentence: "The contract has no tests entry: identities, direction and canary are not judged.",
};
