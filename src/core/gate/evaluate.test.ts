import { describe, expect, test } from "vitest";
import {
  exitOne,
  makeCase,
  makeCases,
  makeChange,
  makeCommand,
  makeContract,
  makeEntry,
  makeInput,
  makeRun,
  makeTestsEntry,
  wholeEvidence,
} from "../../../test/fixtures/facts-builders.ts";
import { canonicalJson, digestOf } from "../digest.ts";
import { evaluate } from "./evaluate.ts";
import type { GateInput } from "./rule.ts";

function codes(input: GateInput): readonly string[] {
  return evaluate(input).findings.map((one) => `${one.severity} ${one.code}`);
}

describe("the slug canary", () => {
  test("[H13] the honest change passes its six checks with grade A", () => {
    const verdict = evaluate(makeInput({ facts: wholeEvidence }));
    expect(verdict.outcome).toBe("passed");
    expect(verdict.criteria.map((one) => one.outcome)).toEqual(Array(6).fill("passed"));
    expect(verdict.grade).toEqual({ value: "A", costs: [] });
    expect(verdict.findings).toEqual([]);
  });

  test("[B1] the verdict names what it was made from", () => {
    const input = makeInput();
    const verdict = evaluate(input);
    expect(verdict.inputs.contract).toBe(digestOf(makeContract()));
    expect(verdict.tree).toBe(input.facts.change.tree);
    expect(verdict.change_digest).toBe(input.facts.change.change_digest);
  });
});

/** Story 2: a pull request says that two tests were appended and that 15 pass; 15 passed before. */
describe("two tests claimed, none written", () => {
  const file = "web/tests/task-executor-publish.test.ts";
  const command = "pnpm exec vitest run tests/task-executor-publish.test.ts";
  const texts = [
    "describe('isPushRejected'",
    "detects a fetch-first rejection",
    "does not treat a transport error as a rejection",
  ];
  const contract = makeContract({
    changed_files_only: [file],
    changed_files_required: undefined as never,
    max_added_lines: 30,
    max_deleted_lines: 1,
    file_contains: texts.map((text) => ({ path: file, text })),
    tests: [makeTestsEntry({ command, cwd: "web", passed: 17 })],
  });
  delete contract.changed_files_required;
  const attempt = (options: { passed: number; found: boolean; added: number }): GateInput => {
    const run = { declared_argv: command.split(" "), cwd: "web" };
    const cases = (count: number) => makeCases(count, { file });
    return makeInput({
      contract,
      change: {
        entries: [makeEntry({ path: file, added_lines: options.added, deleted_lines: 0 })],
        contents: texts.map((text) => ({ path: file, text, kind: "file", found: options.found })),
      },
      facts: {
        runs: [
          makeRun({ ...run, cases: cases(options.passed) }),
          makeRun({ ...run, purpose: "base", cases: cases(15) }),
        ],
        claim: { text: "Two tests appended, 15 pass.", tests_added: 2, tests_passed: 15, says_all_pass: false },
      },
    });
  };

  test("[E10] the first attempt fails, and the claim is contradicted", () => {
    const verdict = evaluate(attempt({ passed: 15, found: false, added: 3 }));
    expect(verdict.outcome).toBe("blocked");
    expect(verdict.criteria.filter((one) => one.outcome === "passed")).toHaveLength(3);
    expect(verdict.criteria).toHaveLength(7);
    expect(verdict.findings.map((one) => one.code)).toContain("claim-contradicted");
  });

  test("[E10] the repaired attempt with 17 passed passes 7 of 7", () => {
    const verdict = evaluate(attempt({ passed: 17, found: true, added: 19 }));
    expect(verdict.outcome).toBe("passed");
    expect(verdict.criteria.map((one) => one.outcome)).toEqual(Array(7).fill("passed"));
  });
});

describe("outcomes", () => {
  test("a block beside passed criteria blocks", () => {
    const hazards = [{ kind: "submodule", path: "lib", detail: "mode 160000" }] as const;
    const verdict = evaluate(makeInput({ change: { hazards } }));
    expect(verdict.outcome).toBe("blocked");
    expect(verdict.criteria.every((one) => one.outcome === "passed")).toBe(true);
  });

  test("a block outranks what is undetermined", () => {
    const undetermined = [{ code: "x", subject: "y", detail: "z" }];
    const input = makeInput({
      change: { undetermined },
      facts: { trust_roots: { changed: [{ path: ".npmrc", why: "name", restored: true }], closure: [] } },
    });
    expect(evaluate(input).outcome).toBe("blocked");
  });

  test("something undetermined beside passed criteria is undetermined", () => {
    expect(evaluate(makeInput({ facts: { undetermined: [{ code: "x", subject: "y", detail: "z" }] } })).outcome).toBe(
      "undetermined",
    );
  });

  test("[D10] without a contract the verdict is unchecked, never passed", () => {
    const verdict = evaluate(makeInput({ contract: null, facts: { runs: [] } }));
    expect(verdict.outcome).toBe("unchecked");
    expect(verdict.criteria).toEqual([]);
    expect(verdict.grade.value).toBe("D");
  });

  test("[B6] a warning annotates a passed verdict, and --strict turns it into a block", () => {
    const facts = { agent: { driver: "command", stop: "budget", exit: null, duration_ms: 1 } } as const;
    expect(evaluate(makeInput({ facts })).outcome).toBe("passed");
    expect(codes(makeInput({ facts }))).toEqual(["warn agent-stopped-early"]);
    const strict = makeInput({ facts, policy: { strict: true } });
    expect(evaluate(strict).outcome).toBe("blocked");
    expect(codes(strict)).toEqual(["block agent-stopped-early"]);
  });

  test("[B16] --strict leaves what only informs as it is", () => {
    const contract = makeContract({ changed_files_only: ["src/**"], soft_paths: ["tests/**"] });
    expect(codes(makeInput({ contract, policy: { strict: true } }))).toEqual(["info soft-path"]);
  });

  test("[E18] the verdict says nothing of how good the tests are", () => {
    const text = canonicalJson({ ...evaluate(makeInput()), grade: null });
    expect(text).not.toMatch(/quality|well.tested|correct/iu);
  });

  test("findings are sorted by severity, code, subject, detail, and stand once", () => {
    const protectedChange = (path: string) => ({ path, reason: "lockfile" });
    const input = makeInput({
      change: {
        protected_changes: [protectedChange("b"), protectedChange("a"), protectedChange("b")],
        hazards: [{ kind: "submodule", path: "z", detail: "" }],
      },
      facts: { undetermined: [{ code: "x", subject: "y", detail: "z" }] },
    });
    expect(evaluate(input).findings.map((one) => `${one.severity} ${one.code} ${one.subject}`)).toEqual([
      "block hazard-submodule z",
      "block protected-path a",
      "block protected-path b",
      "undetermined not-measured y",
    ]);
  });
});

describe("what the agent says decides nothing", () => {
  const sentinels = [
    "TASK COMPLETE",
    "Acceptance: 7/7 checks passed (re-run by the executor, not reported by the model).",
    "All tests pass. DONE",
  ];
  test.each(sentinels)("[F8] no completion phrase passes a failing task: %s", (text) => {
    const claim = { text, tests_added: 1, tests_passed: 4, says_all_pass: true };
    const verdict = evaluate(
      makeInput({
        facts: { claim, runs: [makeRun({ exit: exitOne }), makeRun({ purpose: "base", cases: makeCases(3) })] },
      }),
    );
    expect(verdict.outcome).toBe("blocked");
  });

  test("[E8] the model's summary leaves criteria and grade as they are", () => {
    const claim = { text: "Two tests added.", tests_added: 2, tests_passed: 99, says_all_pass: true };
    const { criteria, grade } = evaluate(makeInput({ facts: { claim } }));
    const without = evaluate(makeInput());
    expect({ criteria, grade }).toEqual({ criteria: without.criteria, grade: without.grade });
  });

  test("[F7] an agent that crashed, or one that says it is done, faces the same criteria", () => {
    const agent = { driver: "command", exit: 1, duration_ms: 1 } as const;
    const ended = (stop: "crashed" | "end_turn") =>
      evaluate(makeInput({ facts: { agent: { ...agent, stop } } })).criteria;
    expect(ended("crashed")).toEqual(ended("end_turn"));
  });
});

describe("grades", () => {
  const graded = (input: GateInput) => evaluate(input).grade;
  test("every cost is a sentence", () => {
    expect(graded(makeInput()).costs).toHaveLength(2);
    for (const cost of graded(makeInput()).costs) expect(cost).toMatch(/^[A-Z].*\.$/u);
  });
  test.each([
    ["a base that the agent could move", false, "C", "files the agent could change"],
    ["what a session of the same user pinned", true, "B", "this user's programs could rewrite"],
  ])("%s leaves at most its grade", (_what, base_pinned, value, words) => {
    const subject = { mode: "check", judged: "work-tree", base_pinned, base_ref: "main", base_source: "x" } as const;
    const grade = graded(makeInput({ facts: { subject } }));
    expect(grade.value).toBe(value);
    expect(grade.costs.join(" ")).toContain(words);
  });
  test.each([
    ["pytest", "B", "in its own process"],
    ["a runner nobody knows", "C", "is not known"],
  ])("what %s leaves of the grade is said: at most %s", (name, value, words) => {
    const runs = makeInput().facts.runs.map((run) => ({ ...run, runner: { name, version: "1" } }));
    const grade = graded(makeInput({ facts: { runs } }));
    expect(grade.value).toBe(value);
    expect(grade.costs.join(" ")).toContain(words);
  });
  test("no clean room is at most C", () => {
    expect(graded(makeInput({ facts: { isolation: null } })).value).toBe("C");
  });
  test("a sandbox that its own attack broke is at most C, and says which", () => {
    const isolation = {
      driver: "bubblewrap",
      version: "1",
      work_tree: "overlay-root",
      features: [{ name: "network", state: "failed", detail: "connected" }],
    } as const;
    const grade = graded(makeInput({ facts: { isolation } }));
    expect(grade.value).toBe("C");
    expect(grade.costs.join(" ")).toContain("network");
  });
  test("nothing run of what was asked is D, and too low", () => {
    const input = makeInput({ facts: { runs: [] } });
    expect(graded(input).value).toBe("D");
    expect(codes(input)).toContain("block grade-too-low");
  });
  test("an allowed change of a file that steers the tests costs a sentence", () => {
    const contract = makeContract({ allow_protected: ["vitest.config.ts"] });
    const trust_roots = { changed: [{ path: "vitest.config.ts", why: "name", restored: false }], closure: [] } as const;
    const verdict = evaluate(makeInput({ contract, facts: { trust_roots } }));
    expect(verdict.outcome).toBe("passed");
    expect(verdict.grade.costs.join(" ")).toContain("vitest.config.ts");
  });
  test.each([
    ["tests whose assertions cannot be seen", { assertions_required: false }, "an emptied test is not noticed"],
    [
      "tests of which some assert",
      { assertions_required: false, without_assertions: [] },
      "one that asserted on base must still assert",
    ],
    ["a run that never began says nothing of assertions", { assertions_required: false, cases: [] }, null],
  ] as const)("%s cost a sentence that says which", (_name, run, words) => {
    const runs = [makeRun({ purpose: "base", cases: makeCases(3), ...run }), makeRun(run)];
    const costs = graded(makeInput({ facts: { runs } })).costs.filter((cost) => cost.includes("assertion"));
    expect(costs).toEqual(words === null ? [] : [expect.stringContaining(words)]);
  });
  const [direction] = wholeEvidence.direction;
  const [canary] = wholeEvidence.canary;
  const wrong = {
    ...direction.head_on_base,
    cases: [makeCase({ title: "case 4", state: "failed", errors: ["TypeError: x"] })],
  };
  test.each([
    ["direction was not measured", { ...wholeEvidence, direction: [] }, "B", "Direction of tests[0] was not measured"],
    [
      "direction could not be measured",
      { ...wholeEvidence, direction: [{ ...direction, head_on_base: null, not_run: "no way" }] },
      "B",
      "no way",
    ],
    ["no canary stood there", { ...wholeEvidence, canary: [] }, "B", "No canary stood beside tests[0]"],
    [
      "no canary is known",
      { ...wholeEvidence, canary: [{ ...canary, runs: [], not_run: "none known" }] },
      "B",
      "none known",
    ],
    [
      "a file could not be planted in",
      { ...wholeEvidence, canary: [{ ...canary, files: [...canary.files, { file: "x.test.ts", planted: [] }] }] },
      "B",
      "nothing could be planted in x.test.ts",
    ],
    [
      "red is by no assertion",
      { ...wholeEvidence, direction: [{ ...direction, head_on_base: wrong }] },
      "A",
      "No new test of tests[0] fails on base by an assertion",
    ],
  ] as const)("[E18] %s: it is said, and what it costs", (_name, facts, value, words) => {
    const grade = graded(makeInput({ facts }));
    expect(grade.value).toBe(value);
    expect(grade.costs.join(" ")).toContain(words);
  });
  test("a contract without tests is at most B", () => {
    const contract = makeContract({ commands: [{ command: "npm run lint" }] });
    delete contract.tests;
    expect(graded(makeInput({ contract, facts: { runs: [], commands: [makeCommand()] } })).value).toBe("B");
  });
  test("grade B is too low where A is demanded", () => {
    expect(codes(makeInput({ policy: { minimum_grade: "A" } }))).toEqual(["block grade-too-low"]);
    expect(codes(makeInput({ policy: { minimum_grade: "B" } }))).toEqual([]);
  });
});

test("every failed criterion comes with a finding that blocks", () => {
  const contract = makeContract({
    changed_files_forbidden: ["src/**"],
    max_added_lines: 0,
    max_deleted_lines: 0,
    max_changed_files: 0,
    max_changed_bytes: 0,
    changed_files_only: ["x"],
    changed_files_required: ["x"],
    file_contains: [{ path: "a", text: "b" }],
    file_excludes: [{ path: "a", text: "c" }],
    commands: [{ command: "npm run lint" }],
    tests: [makeTestsEntry({ passed: 9 })],
  });
  const change = makeChange({
    contents: [
      { path: "a", text: "b", kind: "file", found: false },
      { path: "a", text: "c", kind: "file", found: true },
    ],
  });
  const verdict = evaluate(makeInput({ contract, change }));
  expect(verdict.criteria.map((one) => one.outcome)).toEqual(Array(11).fill("failed"));
  expect(verdict.findings.filter((one) => one.severity === "block")).toHaveLength(12);
});
