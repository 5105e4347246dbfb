import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Verdict } from "../../src/core/gate/verdict.ts";
import { expectRefusal, openStage, runProcess, type Ended, type Stage } from "./bad-input-stage.ts";
import { plainGit, writeFiles } from "./pipeline-stage.ts";

const contract = { intent: "refactor", tests: [{ command: "node --test", keep_base: true }] };
const unsteady = (until: string) => ({
  quarantine: [{ test: "the number is one", reason: "depends on the number", until }],
});

let stage: Stage;
beforeAll(() => {
  stage = openStage();
});
afterAll(() => stage[Symbol.dispose]());

/** A base with this policy, and a change that breaks one of its two tests. */
function openWork(name: string, policy: unknown): string {
  const work = stage.repository(name, {
    "src/number.mjs": "export const number = 1;\n",
    "test/steady.test.mjs": `import assert from "node:assert";
import test from "node:test";
import { number } from "../src/number.mjs";
test("the number is a number", () => assert.equal(typeof number, "number"));\n`,
    "test/unsteady.test.mjs": `import assert from "node:assert";
import test from "node:test";
import { number } from "../src/number.mjs";
test("the number is one", () => assert.equal(number, 1));\n`,
    ".trueup/contract.json": JSON.stringify(contract),
    ".trueup/config.json": typeof policy === "string" ? policy : JSON.stringify({ version: 1, ...Object(policy) }),
  });
  plainGit(work, "checkout", "-q", "-b", "work");
  return work;
}

const run = (work: string, ...argv: readonly string[]): Ended =>
  runProcess(argv, { cwd: work, env: { ...stage.env, PATH: process.env["PATH"] } });

function check(work: string): { readonly exit: number | null; readonly told: readonly string[]; verdict: Verdict } {
  const { exit, stdout, stderr } = run(work, "check", "--json", "--quiet");
  expect(stderr).toBe("");
  const { verdict } = JSON.parse(stdout) as { verdict: Verdict };
  return { exit, verdict, told: verdict.findings.map(({ severity, code }) => `${severity} ${code}`) };
}

describe("policy of the base", () => {
  test("[E17] a test in quarantine may fail until its day, and every report tells of it", () => {
    const work = openWork("quarantine", unsteady("2999-12-31"));
    writeFiles(work, { "src/number.mjs": "export const number = 2;\n" });
    const { exit, told } = check(work);
    expect([exit, told]).toEqual([0, expect.arrayContaining(["info quarantined"])]);
    expect(told.filter((one) => one.startsWith("block"))).toEqual([]);
  });

  test("[E17] after its day it blocks again; a quarantine that the change brings does not count", () => {
    const work = openWork("ended", unsteady("2020-01-31"));
    writeFiles(work, { "src/number.mjs": "export const number = 2;\n" });
    const { exit, told } = check(work);
    expect([exit, told]).toEqual([1, expect.arrayContaining(["warn quarantine-ended", "block test-regressed"])]);
    writeFiles(work, { ".trueup/config.json": JSON.stringify({ version: 1, ...unsteady("2999-12-31") }) });
    expect(check(work).told).toEqual(expect.arrayContaining(["block protected-path", "block test-regressed"]));
  });

  test("[B11] warnings block for the branches that the policy names, and no flag takes that back", () => {
    const outcome = (name: string, policy: unknown): readonly [number | null, boolean] => {
      const work = openWork(name, policy);
      writeFiles(work, { "src/number.mjs": "// @ts-ignore\nexport const number = 1;\n" });
      const { exit, verdict } = check(work);
      return [exit, verdict.policy.strict];
    };
    expect(outcome("mild", {})).toEqual([0, false]);
    expect(outcome("strict", { strict: ["main"] })).toEqual([1, true]);
    expect(outcome("elsewhere", { strict: ["release/*"] })).toEqual([0, false]);
  });

  test("the least grade is the base's: evidence below it does not pass", () => {
    const work = openWork("grade", { minimum_grade: "B" });
    writeFiles(work, { "src/number.mjs": "export const number = 1; // one\n" });
    expect(check(work)).toMatchObject({ exit: 1, told: expect.arrayContaining(["block grade-too-low"]) as unknown });
  });

  test("[B9] [I3] rules of the base over what is new: one blocks, one warns, one has ended; those of the change do not count", () => {
    const about = { category: "style", paths: ["src/**"], reason: "house" };
    const work = openWork("rules", {
      rules: [
        { ...about, name: "no-log", forbids: "console.log", severity: "block" },
        { ...about, name: "header", requires: "// one", severity: "warn" },
        { ...about, name: "old", forbids: "number", severity: "block", until: "2020-01-31" },
      ],
    });
    writeFiles(work, { "src/number.mjs": "export const number = 1;\nconsole.log(number);\n" });
    const { exit, verdict } = check(work);
    const told = verdict.findings
      .filter(({ code }) => code.startsWith("rule-"))
      .map((one) => `${one.severity} ${one.subject}`);
    expect([exit, told]).toEqual([1, ["block no-log: src/number.mjs", "warn header: src/number.mjs", "info old"]]);
    writeFiles(work, {
      "src/number.mjs": "export const number = 1; // one\n",
      ".trueup/config.json": JSON.stringify({
        version: 1,
        rules: [{ ...about, name: "mine", forbids: "number", severity: "block" }],
      }),
    });
    expect(check(work).told.filter((one) => one.includes("rule-"))).toEqual(["info rule-ended"]);
  });

  test("`config explain` says value and source; what is not understood is refused, never taken for the default", () => {
    const work = openWork("explain", { strict: ["main"] });
    const told = run(work, "config", "explain", "strict");
    expect([told.exit, told.stdout]).toEqual([
      0,
      expect.stringMatching(/^strict = \["main"\]\n.*\n {2}from: \.trueup\/config\.json of base [0-9a-f]{12} /u),
    ]);
    const { settings } = JSON.parse(run(work, "config", "--json").stdout) as { settings: { key: string }[] };
    expect(settings.map(({ key }) => key)).toEqual(expect.arrayContaining(["minimum_grade", "quarantine", "state"]));
    expectRefusal(run(work, "config", "explain", "stricd"), { code: "usage", says: /no such key/u });
    const broken = openWork("broken", '{"version":1,"stricd":true}');
    const wanted = { code: "config-invalid", says: /stricd is not a known key/u } as const;
    for (const argv of [["config"], ["check", "--quiet"], ["start"]]) expectRefusal(run(broken, ...argv), wanted);
  });
});
