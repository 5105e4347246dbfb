import { expect, test } from "vitest";
import { makeContract, makeEntry, makeInput, makeRun } from "../../../../test/fixtures/facts-builders.ts";
import { evaluate } from "../evaluate.ts";

const run = "npx vitest run";
const contract = makeContract({
  changed_files_only: ["**"],
  tests: undefined,
  projects: [
    { root: "web", lockfile: "web/package-lock.json", tests: [{ command: run, passed: 4 }] },
    { root: "api", lockfile: "api/package-lock.json", tests: [{ command: run, passed: 9 }] },
  ],
});
const inputOf = (path: string, mode: "deliver" | "records" = "deliver") => {
  const input = makeInput({ contract, change: { entries: [makeEntry({ path })] } });
  const runs = [makeRun({ cwd: "web" }), makeRun({ purpose: "base", cwd: "web" })];
  const log = { records: [], faults: [], anchored: true };
  const records = mode === "records" ? { session_id: "s", judged_tree: null, log } : null;
  return { ...input, facts: { ...input.facts, runs, records, subject: { ...input.facts.subject, mode } } };
};
const tests = (verdict: ReturnType<typeof evaluate>) => verdict.criteria.filter((one) => one.kind === "tests");

test("only the touched project's tests are criteria; the other is named, and costs the grade", () => {
  const verdict = evaluate(inputOf("web/src/slugify.ts"));
  expect(tests(verdict).map((one) => one.subject)).toEqual(["tests[0]"]);
  expect(verdict.findings.filter((one) => one.code === "project-not-affected").map((one) => one.subject)).toEqual([
    "api",
  ]);
  expect(verdict.grade.costs).toContain(
    "Not run, since no changed path lies in them: api. Whether they use what was changed was not followed.",
  );
});

test("a shared file asks for every project: one that did not run never passes", () => {
  const verdict = evaluate(inputOf("tsconfig.base.json"));
  expect(tests(verdict).map((one) => one.outcome)).not.toEqual(["passed", "passed"]);
  expect(tests(verdict)).toHaveLength(2);
  expect(verdict.outcome).not.toBe("passed");
});

test("of a session's records every project is asked", () => {
  expect(tests(evaluate(inputOf("web/src/slugify.ts", "records")))).toHaveLength(2);
});
