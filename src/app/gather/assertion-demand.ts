import type { RunFacts, TestCase, TestIdentity } from "../../core/facts/index.ts";
import { isSettled, measureTests, type MeasuredTests, type MeasureRequest } from "./measure-tree.ts";

/**
 * What is asked of tests that assert nothing: they fail; or, where base has some itself, a second run tells which they
 * are; or nothing, where base has no test that asserts in a way that the runner can see.
 */
export type AssertionDemand = "required" | "compared" | "none";

/** Runs base first with assertions required; where it passes fewer tests so, without, and says which demand base can hold. */
export async function measureBaseTests(
  request: MeasureRequest,
  criterion: number,
): Promise<MeasuredTests & { readonly demand: AssertionDemand }> {
  const strict = await measureTests(request, criterion, true);
  const strictRun = strict.result?.facts ?? null;
  if (strictRun === null || (strictRun.exit.code === 0 && isSettled(strictRun)))
    return { ...strict, demand: "required" };
  const lenient = await measureTests(request, criterion, false);
  if (lenient.result === null || passed(lenient.result.facts).length <= passed(strictRun).length)
    return { ...strict, demand: "required" };
  if (!isSettled(strictRun) || passed(strictRun).length === 0) return { ...lenient, demand: "none" };
  return { ...withSilent(lenient, strictRun), demand: "compared" };
}

/** Runs head as its base was run. A stricter run that did not end well shows no test to assert. */
export async function measureHeadTests(
  request: MeasureRequest,
  criterion: number,
  demand: AssertionDemand,
): Promise<MeasuredTests> {
  const measured = await measureTests(request, criterion, demand === "required");
  if (demand !== "compared" || measured.result === null) return measured;
  const strictRun = (await measureTests(request, criterion, true)).result?.facts ?? null;
  return withSilent(measured, strictRun !== null && isSettled(strictRun) ? strictRun : null);
}

function withSilent(measured: MeasuredTests, strict: RunFacts | null): MeasuredTests {
  if (measured.result === null) return measured;
  const { facts } = measured.result;
  const asserting = new Set((strict === null ? [] : passed(strict)).map(keyOf));
  const silent = passed(facts).flatMap((one) => (asserting.has(keyOf(one)) ? [] : [identityOf(one)]));
  return { ...measured, result: { ...measured.result, facts: { ...facts, without_assertions: silent } } };
}

function passed(run: RunFacts): readonly TestCase[] {
  return run.cases.filter((one) => one.state === "passed");
}

function identityOf({ project, file, suite, title, ordinal }: TestIdentity): TestIdentity {
  return { project, file, suite, title, ordinal };
}

function keyOf(one: TestIdentity): string {
  return JSON.stringify(identityOf(one));
}
