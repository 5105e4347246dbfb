import { describe, expect, test } from "vitest";
import type { AcceptanceContract } from "../contract/index.ts";
import type { FitReason, FitReport, FitRun } from "../fit/index.ts";
import { baseFlaws } from "./base-flaws.ts";
import type { BaseView } from "./contract-flaw.ts";
import { lintContract, sortFlaws } from "./lint-contract.ts";

const paths = [
  ...[".github/workflows/ci.yml", "README.md", "docs/a.md", "package-lock.json", "package.json"],
  ...["src/a.ts", "src/b.ts", "src/slugify.ts", "test/a.test.ts", "test/slugify.test.ts", "vitest.config.ts"],
];
const base: BaseView = {
  paths,
  scripts: { test: "vitest run", build: "tsc" },
  texts: new Map([["src/a.ts", "export const a = 1;"]]),
};
const sound: AcceptanceContract = {
  changed_files_only: ["src/slugify.ts", "test/slugify.test.ts"],
  tests: [{ command: "npx vitest run", passed: 4 }],
};
const entry = { command: "npx vitest run", passed: 4 };

function said(contract: AcceptanceContract, view: BaseView = base): readonly string[] {
  return lintContract(contract, view).map((one) => `${one.severity} ${one.code} ${one.key}`);
}

describe("contract lint", () => {
  test("a contract that makes sense has no flaw", () => {
    expect(said(sound)).toEqual([]);
  });

  const rows: readonly (readonly [string, Partial<AcceptanceContract>, readonly string[]])[] = [
    [
      "a directory in place of its files",
      { changed_files_only: ["src"] },
      ["error path-is-directory changed_files_only[0]"],
    ],
    [
      "a directory forbidden in words that forbid nothing",
      { changed_files_forbidden: ["docs"] },
      ["error path-is-directory changed_files_forbidden[0]"],
    ],
    [
      "a glob that matches nothing",
      { changed_files_only: ["lib/**"] },
      ["warning path-matches-nothing changed_files_only[0]"],
    ],
    [
      "a file in other case",
      { changed_files_only: ["src/Slugify.ts"] },
      ["warning path-matches-nothing changed_files_only[0]"],
    ],
    [
      "a bare name of a file elsewhere",
      { changed_files_only: ["slugify.ts"] },
      ["warning path-matches-nothing changed_files_only[0]"],
    ],
    ["a new file in a known directory", { changed_files_only: ["src/c.ts", "test/c.test.ts"] }, []],
    ["a required new file in scope", { changed_files_only: ["src/**"], changed_files_required: ["src/new.ts"] }, []],
    [
      "a required file outside the scope: nothing can pass",
      { changed_files_required: ["src/b.ts"] },
      ["error required-outside-scope changed_files_required[0]"],
    ],
    [
      "a required file that is forbidden",
      { changed_files_required: ["src/slugify.ts"], changed_files_forbidden: ["src/**"] },
      ["error required-forbidden changed_files_required[0]"],
    ],
    [
      "a protected path in scope that stays shut",
      { changed_files_only: [".github/workflows/ci.yml"] },
      ["error protected-not-allowed changed_files_only[0]"],
    ],
    ["the same, opened", { changed_files_only: [".github/workflows/ci.yml"], allow_protected: [".github/**"] }, []],
    [
      "a glob over nothing but protected files",
      { changed_files_only: [".github/**"] },
      ["error protected-not-allowed changed_files_only[0]"],
    ],
    [
      "a manifest whose sections stay shut",
      { changed_files_only: ["package.json"] },
      ["warning protected-in-scope changed_files_only[0]"],
    ],
    [
      "the gate's own policy opened",
      { allow_protected: [".trueup/**"] },
      ["warning path-matches-nothing allow_protected[0]", "warning opens-own-policy allow_protected[0]"].toSorted(),
    ],
    [
      "everything in scope",
      { changed_files_only: ["**"] },
      ["warning protected-in-scope changed_files_only[0]", "warning scope-too-wide changed_files_only[0]"],
    ],
    [
      "a text that base holds already",
      { file_contains: [{ path: "src/a.ts", text: "export" }] },
      ["warning already-met file_contains[0]"],
    ],
    [
      "a text out of the scope's reach",
      { file_contains: [{ path: "src/a.ts", text: "other" }] },
      ["error content-out-of-reach file_contains[0]"],
    ],
    ["a contract about behaviour without a test", { tests: undefined, file_contains: [] }, ["error no-tests tests"]],
    ["the same about docs", { tests: undefined, intent: "docs" }, []],
    [
      "no entry that demands a new test",
      { tests: [{ command: "npx vitest run", keep_base: true }] },
      ["error nothing-new-asked tests"],
    ],
    [
      "new tests that need not be red on base",
      { tests: [{ ...entry, red_on_base: "none" }] },
      ["warning no-red-demand tests[0].red_on_base"],
    ],
    [
      "tests of base that may vanish",
      { tests: [{ ...entry, keep_base: false }] },
      ["warning keeps-nothing tests[0].keep_base"],
    ],
    ["what this version does not evaluate", { approvals: ["ada"] }, ["error not-evaluated approvals"]],
    ["a directory that is not there", { tests: [{ ...entry, cwd: "web" }] }, ["error cwd-missing tests[0].cwd"]],
    [
      "a script that is not there",
      { commands: [{ command: "npm run lint" }] },
      ["error command-unresolved commands[0].command"],
    ],
    ["a script that is there", { commands: [{ command: "npm run build" }] }, []],
  ];
  test.each(rows)("%s", (_name, keys, expected) => {
    const contract = Object.fromEntries(
      Object.entries({ ...sound, ...keys }).filter(([, value]) => value !== undefined),
    );
    expect(said(contract as AcceptanceContract).toSorted()).toEqual(expected);
  });

  test("a scope is asked for, and a build step that npm would run is missed", () => {
    const built = { ...base, scripts: { test: "vitest run", pretest: "tsc", prepare: "husky" } };
    expect(said({ tests: [entry] }, built)).toEqual([
      "warning scope-missing changed_files_only",
      "warning prepare-missing prepare",
    ]);
  });

  test("the same flaws read the same in any order, errors first", () => {
    const flaws = lintContract({ changed_files_only: ["src", "**"], approvals: ["ada"] }, base);
    expect(sortFlaws(flaws.toReversed())).toEqual(flaws);
    expect(flaws.map((one) => one.severity)).toEqual(flaws.map((one) => one.severity).toSorted());
  });
});

describe("contract lint over the runs of base", () => {
  const run: FitRun = {
    ...{ command: "npx vitest run", cwd: "", runner: "vitest", runner_version: "5.0.0" },
    ...{ exit: 0, passed: 3, failed: 0, other: 0 },
  };
  const reason: FitReason = {
    ...{ step: "baseline", code: "contract-vacuous", mended_by: "repository", message: "It is met" },
    ...{ subject: "tests", detail: null, remedy: "Ask for more." },
  };
  const codes = (tests: AcceptanceContract["tests"], report: Partial<FitReport>): readonly string[] =>
    baseFlaws({ tests }, { reasons: [], baseline: [run], ...report }).map((one) => `${one.severity} ${one.code}`);

  test.each([
    ["one more than base", [{ command: "x", passed: 4 }], []],
    ["fewer than base has and keeps", [{ command: "x", passed: 2 }], ["error count-below-base"]],
    ["fewer, where some are retired", [{ command: "x", passed: 2, retired: ["test/a.test.ts"] }], []],
    ["a sum that is none", [{ command: "x", passed: 5, added: 1 }], ["error counts-disagree"]],
    ["a sum that is one", [{ command: "x", passed: 4, added: 1 }], []],
  ])("%s", (_name, tests, expected) => {
    expect(codes(tests, {})).toEqual(expected);
  });

  test("what a delivery would end in is an error; what could not be found out is none of the contract's", () => {
    expect(codes([{ command: "x", passed: 3 }], { reasons: [reason] })).toEqual(["error contract-vacuous"]);
    const unknown: FitReason = { ...reason, code: "base-not-measured", mended_by: "unknown" };
    expect(codes([{ command: "x", passed: 3 }], { reasons: [unknown], baseline: [] })).toEqual([
      "warning base-not-measured",
    ]);
  });
});
