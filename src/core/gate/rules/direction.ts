import type { AcceptanceContract } from "../../contract/index.ts";
import { askedToBeRed, directionViews, mayUpdate, redOnBase, type DirectionView } from "../direction-view.ts";
import { runSubject } from "../entry-view.ts";
import { isRetired } from "../kept-tests.ts";
import { block, finding, listed, type Rule } from "../rule.ts";
import { severityOfSteering } from "../profile.ts";
import { runEvidence } from "../run-evidence.ts";
import { byIdentity, identityKey, identityText, stateText } from "../test-identity.ts";
import type { Finding } from "../verdict.ts";

/**
 * What changed tests do over the other side's sources: a new test of changed behaviour fails on base, and what a test of
 * base expected still holds on head, whatever its file says now.
 */
export const direction: Rule = ({ facts, contract }) => {
  if (contract === null || facts.subject.mode === "records") return { findings: [] };
  const views = directionViews(facts, contract);
  return {
    findings: [
      ...views.flatMap((view) => redFindings(view, contract)),
      ...views.flatMap((view) => expectationFindings(view, severityOfSteering(facts))),
      ...views.flatMap(({ entry, direction: { base_on_head: run } }) =>
        run === null ? [] : runEvidence(run, entry.command, facts),
      ),
      ...unmeasured(contract, views),
      ...noNewTest(contract, views),
    ],
  };
};

function redFindings(view: DirectionView, contract: AcceptanceContract): readonly Finding[] {
  const { entry, index, direction: measured, added } = view;
  const mode = entry.red_on_base ?? "auto";
  const run = measured.head_on_base;
  if ((mode === "some" || mode === "all") && added.length === 0)
    return [block("green-on-base", `tests[${index}]`, "there is no new test")];
  if (run === null) return [];
  const asked = askedToBeRed(view, contract);
  const green = asked.filter((one) => redOnBase(one, run) === "green");
  if (mode === "all")
    return green.map((one) => block("green-on-base", identityText(one), "passes over base's sources as well"));
  if (asked.length === 0 || green.length < asked.length) return [];
  const names = listed(green.map(identityText));
  return [block("green-on-base", `tests[${index}]`, `no new test fails over base's sources: ${names}`)];
}

/** A test of base that passed there, and whose own copy does not pass over head's sources: only its file was made to agree. */
function expectationFindings(view: DirectionView, severity: Finding["severity"]): readonly Finding[] {
  const { entry, base, head, direction: measured } = view;
  const run = measured.base_on_head;
  if (run === null || entry.keep_base === false) return [];
  const files = new Set(measured.base_files);
  const [onHead, now] = [byIdentity(run.cases), byIdentity(head.cases)];
  return base.cases.flatMap((before) => {
    if (before.state !== "passed" || !files.has(before.file)) return [];
    const key = identityKey(before);
    // What does not pass on head itself is found as removed or regressed.
    if (onHead.get(key)?.state === "passed" || now.get(key)?.state !== "passed") return [];
    if (isRetired(view, before) || mayUpdate(view, before)) return [];
    const found = onHead.get(key);
    const module = run.modules.find((one) => one.file === before.file);
    const how = found === undefined ? (module?.errors[0] ?? "it did not run") : stateText(found);
    const [line = ""] = how.split("\n", 1);
    return [
      finding(severity, "expectation-changed", {
        subject: identityText(before),
        detail: `base's copy of it over the new sources: ${line.slice(0, 300)}`,
      }),
    ];
  });
}

/** A direction that the contract asks for in words, and that no run shows. */
function unmeasured(contract: AcceptanceContract, views: readonly DirectionView[]): readonly Finding[] {
  return (contract.tests ?? []).flatMap((entry, index) => {
    if (entry.red_on_base !== "some" && entry.red_on_base !== "all") return [];
    const view = views.find((one) => one.index === index);
    if (view !== undefined && (view.added.length === 0 || view.direction.head_on_base !== null)) return [];
    const detail = view?.direction.not_run ?? "the new tests were not run over base's sources";
    const subject = runSubject({ criterion: index, purpose: "head-tests-on-base" });
    return [finding("undetermined", "direction-not-measured", { subject, detail })];
  });
}

/** Behaviour changed and no test is new: a warning, since a contract that wants one can say so by `added` or `names`. */
function noNewTest(contract: AcceptanceContract, views: readonly DirectionView[]): readonly Finding[] {
  if ((contract.intent ?? "behaviour") !== "behaviour") return [];
  const promised = (contract.tests ?? []).some((entry) => (entry.added ?? 0) > 0 || entry.names !== undefined);
  const sources = [...new Set(views.flatMap((view) => view.direction.sources))];
  if (promised || sources.length === 0 || views.some((view) => view.added.length > 0)) return [];
  return [finding("warn", "no-new-test", { subject: "tests", detail: `changed: ${listed(sources)}` })];
}
