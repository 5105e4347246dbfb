import { expect, test } from "vitest";
import { makeCase, makeCases, makeRun } from "../../../test/fixtures/facts-builders.ts";
import { decideOutcome, deriveTests, findDrift, isLfsPath, isLfsPointer, judgeBase, lfsPatterns } from "./index.ts";

const shown = (more: Partial<Parameters<typeof deriveTests>[0]> = {}) => ({
  scripts: null,
  dependencies: new Set<string>(),
  paths: new Set<string>(),
  ...more,
});
const derived = (more: Parameters<typeof shown>[0]) => {
  const result = deriveTests(shown(more));
  return result.ok ? result.entry.command : `${result.code} ${result.subject}`;
};

test.each([
  ["a plain script", { scripts: { test: "vitest run" } }, "npm test"],
  ["another script that is plain", { scripts: { test: "npm run lint && npm run unit", unit: "jest" } }, "npm run unit"],
  [
    "a compound script over a known runner",
    { scripts: { test: "tsc && run-p a b" }, dependencies: new Set(["vitest"]) },
    "npx vitest run",
  ],
  ["one command of several", { scripts: { test: "node --test && npm run types" } }, "node --test"],
  ["jest behind a script", { scripts: {}, dependencies: new Set(["jest"]) }, "npx jest"],
  [
    "mocha beside a runner that is installed for something else",
    { scripts: { test: "nyc mocha" }, dependencies: new Set(["jest"]) },
    "runner-unknown mocha",
  ],
  ["mocha", { scripts: { test: "nyc mocha --exit" } }, "runner-unknown mocha"],
  ["a monorepo's own runner", { scripts: { test: "turbo run test" } }, "runner-unknown turbo"],
  ["bun's runner", { scripts: { test: "bun test" } }, "runner-unknown bun test"],
  ["a runner that this version knows and does not run", { scripts: { test: "mocha" } }, "runner-unknown mocha"],
  ["no script", { scripts: { build: "tsc" } }, "contract-missing package.json"],
  ["a script that is no runner", { scripts: { test: "echo none" } }, "contract-missing package.json"],
  ["python", { paths: new Set(["pyproject.toml"]) }, "pytest"],
  ["python without configuration", { paths: new Set(["a/test_b.py"]) }, "pytest"],
  ["go", { paths: new Set(["go.mod"]) }, "runner-unknown go test"],
  ["nothing", {}, "contract-missing the repository"],
])("[I2] tests are guessed from what the root shows: %s", (_name, more, wanted) => {
  expect(derived(more)).toBe(wanted);
});

const codesOf = (...args: Parameters<typeof judgeBase>) => judgeBase(...args).map((one) => one.code);
const tests = [{ command: "npx vitest run", keep_base: true }];
const failing = [...makeCases(2), makeCase({ title: "red", state: "failed", errors: ["no"] })];

test.each([
  ["green", makeRun({ purpose: "base" }), "green", []],
  ["red in part, which may stay", makeRun({ purpose: "base", cases: failing }), "no-worse", []],
  ["red in part where green is asked", makeRun({ purpose: "base", cases: failing }), "green", ["base-not-green"]],
  ["all red", makeRun({ purpose: "base", cases: failing.slice(2) }), "no-worse", ["base-not-green"]],
  ["no test at all", makeRun({ purpose: "base", cases: [] }), "no-worse", ["base-without-tests"]],
  [
    "evidence that disagrees",
    makeRun({ purpose: "base", faults: [{ code: "end-missing", detail: "" }] }),
    "no-worse",
    ["base-not-believed"],
  ],
  [
    "a time limit",
    makeRun({ purpose: "base", exit: { code: null, error: "timeout", signal: null } }),
    "no-worse",
    ["base-not-measured"],
  ],
] as const)("[F10] a base is judged before an agent costs anything: %s", (_name, run, baseline, wanted) => {
  expect(codesOf([run], { tests, baseline }, { vacuous: false })).toEqual(wanted);
});

test("a contract that base already meets is vacuous, unless it was only guessed or is no behaviour", () => {
  const run = makeRun({ purpose: "base", cases: makeCases(4) });
  const contract = { tests: [{ command: "npx vitest run", passed: 4 }] };
  expect(codesOf([run], contract, { vacuous: true })).toEqual(["contract-vacuous"]);
  expect(codesOf([run], contract, { vacuous: false })).toEqual([]);
  expect(codesOf([run], { ...contract, intent: "refactor" }, { vacuous: true })).toEqual([]);
});

test("what could only not be found out leaves the outcome open, any other reason declines", () => {
  expect(decideOutcome([])).toBe("fit");
  expect(decideOutcome([{ mended_by: "unknown" }])).toBe("undetermined");
  expect(decideOutcome([{ mended_by: "unknown" }, { mended_by: "machine" }])).toBe("no-fit");
});

const good = {
  commit: "a",
  tools: [["node", "24.1.0"]],
  dependencies: [["npm of the root", "k1"]],
  runs: [["npm test", "4"]],
  grade: "A",
} as {
  commit: string;
  tools: [string, string][];
  dependencies: [string, string][];
  runs: [string, string][];
  grade: string;
};

test("[I5] every difference from the last known good is drift, also what is absent or not measured", () => {
  expect(findDrift(good, good)).toEqual([]);
  const now = {
    ...good,
    tools: [
      ["node", "24.2.0"],
      ["npm", "11"],
    ],
    runs: [],
    grade: "B",
  } as typeof good;
  expect(findDrift(good, now)).toEqual([
    { what: "version of node", was: "24.1.0", now: "24.2.0" },
    { what: "version of npm", was: "absent", now: "11" },
    { what: "base: npm test", was: "4", now: "not measured" },
    { what: "grade", was: "A", now: "B" },
  ]);
});

test("Git LFS is told by attributes and pointer together", () => {
  const patterns = lfsPatterns([
    { directory: "", text: "*.bin filter=lfs diff=lfs merge=lfs -text\n# *.txt filter=lfs\n*.md text\n" },
    { directory: "data", text: "big/** filter=lfs\n" },
  ]);
  const paths = ["a.bin", "x/y.bin", "a.txt", "a.md", "data/big/one", "big/one"];
  expect(paths.filter((path) => isLfsPath(patterns, path))).toEqual(["a.bin", "x/y.bin", "data/big/one"]);
  expect(isLfsPointer(`version https://lfs.invalid/spec/v1\noid sha256:${"0".repeat(64)}\nsize 3\n`)).toBe(true);
  expect(isLfsPointer("version 1\n")).toBe(false);
});
