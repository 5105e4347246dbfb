import { describe, expect, it } from "vitest";
import type { ExitFact } from "../facts/index.ts";
import type { DecodedChannel } from "./decode-channel.ts";
import { decodeWitness, type WitnessFacts } from "./decode-witness.ts";
import type { RunnerReport, SecondWitness } from "./second-witness.ts";
import type { EndMessage, RawCase, RawModule, WitnessMessage } from "./witness-messages.ts";

const file = "/repo/test/a.test.ts";
const exited = (code: number): ExitFact => ({ code, error: null, signal: null });
const raw = (title: string, more: Partial<RawCase> = {}): RawCase => ({
  id: title,
  project: "",
  file,
  suite: [],
  title,
  state: "passed",
  mode: "run",
  fails: false,
  retries: 0,
  errors: [],
  ...more,
});
const module = (more: Partial<RawModule> = {}): RawModule => ({
  id: "m",
  project: "",
  file,
  state: "passed",
  errors: [],
  ...more,
});

interface Run {
  readonly cases?: readonly RawCase[];
  readonly streamed?: readonly RawCase[];
  readonly modules?: readonly RawModule[];
  readonly streamedModules?: readonly RawModule[];
  readonly end?: Partial<EndMessage>;
  readonly exit?: ExitFact;
  readonly second?: SecondWitness;
}

function decode(run: Run): WitnessFacts {
  const cases = [...(run.cases ?? [raw("adds")])];
  const modules = [...(run.modules ?? [module()])];
  const count = (state: string): number => cases.filter((item) => item.state === state).length;
  const end: EndMessage = {
    type: "end",
    reason: "passed",
    cases,
    modules,
    unhandled: [],
    counts: { cases: cases.length, passed: count("passed"), failed: count("failed") },
    closure: ["/repo/vitest.config.ts"],
    ...run.end,
  };
  const messages: WitnessMessage[] = [
    { type: "hello", version: 1, node: "24.0.0", argv: [] },
    { type: "init", version: 1, runner: { name: "vitest", version: "5.1.2" }, projects: [] },
    { type: "start", modules: [{ project: "", file, pool: "forks" }] },
    ...(run.streamed ?? cases).map((item) => ({ type: "case", case: item }) as const),
    ...(run.streamedModules ?? modules).map((item) => ({ type: "module", module: item }) as const),
    end,
  ];
  const channel: DecodedChannel = {
    messages,
    payloads: messages.map((message) => JSON.stringify(message)),
    faults: [],
  };
  return decodeWitness({
    channel,
    root: "/repo",
    exit: run.exit ?? exited(0),
    second: run.second ?? { state: "absent" },
  });
}

const codes = (run: Run): string[] => decode(run).faults.map((fault) => fault.code);
const stateOf = (more: Partial<RawCase>): string | undefined => decode({ cases: [raw("x", more)] }).cases[0]?.state;

describe("decodeWitness", () => {
  it("gives cases and modules by their repository names when all signals agree", () => {
    const facts = decode({});
    expect(facts.faults).toEqual([]);
    expect(facts.cases).toEqual([
      { project: "", file: "test/a.test.ts", suite: [], title: "adds", state: "passed", errors: [], ordinal: 0 },
    ]);
    expect(facts.modules).toEqual([{ project: "", file: "test/a.test.ts", state: "passed", errors: [] }]);
    expect(facts.closure).toEqual(["vitest.config.ts"]);
    expect(facts.evidence_digest).toMatch(/^sha256:[0-9a-f]{64}$/u);
  });

  it.each<[string, Partial<RawCase>, string]>([
    ["a plain pass", {}, "passed"],
    ["a failure", { state: "failed" }, "failed"],
    ["it.skip", { state: "skipped", mode: "skip" }, "skipped"],
    ["it.todo", { state: "skipped", mode: "todo" }, "todo"],
    ["it.fails", { fails: true }, "expected-failure"],
    ["green on the second try", { retries: 1, errors: ["Error: first"] }, "retried"],
    ["a case that never ended", { state: "pending" }, "pending"],
    [
      "a failure flipped to a pass by a hook, its error still there",
      { errors: ["AssertionError: 1 is not 2"] },
      "failed",
    ],
  ])("[E14] %s", (_name, more, expected) => {
    expect(stateOf(more)).toBe(expected);
  });

  it("[E14] tells equal titles apart by ordinal", () => {
    const facts = decode({
      cases: [raw("same", { id: "1" }), raw("same", { id: "2" }), raw("same", { id: "3", suite: ["s"] })],
    });
    expect(facts.cases.map((item) => item.ordinal)).toEqual([0, 1, 0]);
  });

  it.each<[string, Run, string[]]>([
    ["a case only in the final list", { cases: [raw("a"), raw("b")], streamed: [raw("a")] }, ["lists-differ"]],
    ["a case only streamed", { cases: [raw("a")], streamed: [raw("a"), raw("b")] }, ["lists-differ"]],
    [
      "a state that changed after it was streamed",
      { cases: [raw("a")], streamed: [raw("a", { state: "failed" })] },
      ["lists-differ"],
    ],
    [
      "a killed worker's case, pending and never streamed",
      { cases: [raw("a", { state: "pending" })], streamed: [] },
      ["lists-differ"],
    ],
    [
      "a file that was to run and is not reported",
      { cases: [], modules: [], end: { reason: "passed" } },
      ["lists-differ"],
    ],
    ["a green file that was never streamed", { streamedModules: [] }, ["lists-differ"]],
    ["a total the runner counts otherwise", { end: { counts: { cases: 2, passed: 1, failed: 0 } } }, ["counts-differ"]],
    ["a pass more than the list holds", { end: { counts: { cases: 1, passed: 2, failed: 0 } } }, ["counts-differ"]],
    [
      "exit 0 over a failed case",
      { cases: [raw("a", { state: "failed" })], end: { reason: "failed" } },
      ["exit-differs"],
    ],
    ["exit 0 over an unhandled error", { end: { unhandled: ["Error: later"] } }, ["exit-differs"]],
    [
      "exit 0 over a file that failed to load",
      { modules: [module({ state: "failed", errors: ["Error: no such module"] })] },
      ["exit-differs"],
    ],
    ["exit 0 over an interrupted run", { end: { reason: "interrupted" } }, ["exit-differs"]],
    ["exit 1 over a green list", { exit: exited(1) }, ["exit-differs"]],
    ["an unreadable second witness", { second: { state: "unreadable", detail: "cut" } }, ["second-witness-unreadable"]],
  ])("[E7] %s is a fault", (_name, run, expected) => {
    expect(codes(run)).toEqual(expected);
  });

  it("a run that was killed is left to its exit, not called a difference", () => {
    expect(codes({ exit: { code: null, error: "memory", signal: "SIGKILL" } })).toEqual([]);
  });

  it("a runner that ended and a process that did not is said in words", () => {
    const [fault] = decode({ exit: { code: null, error: "timeout", signal: "SIGKILL" } }).faults;
    expect(fault?.detail).toContain("still running");
  });

  it("a file that failed to load and was never streamed is a failed file, not a difference", () => {
    const broken = module({ state: "failed", errors: ["Error: no such module"] });
    const facts = decode({ modules: [broken], streamedModules: [], exit: exited(1) });
    expect(facts.faults).toEqual([]);
    expect(facts.modules[0]?.state).toBe("failed");
  });

  it("[E7] cases streamed before a crash are shown, and the crash is a fault", () => {
    const messages: WitnessMessage[] = [
      { type: "hello", version: 1, node: "24", argv: [] },
      { type: "case", case: raw("a") },
    ];
    const channel: DecodedChannel = { messages, payloads: ["", ""], faults: [{ code: "end-missing", detail: "" }] };
    const facts = decodeWitness({ channel, root: "/repo", exit: exited(0), second: { state: "absent" } });
    expect(facts.cases).toHaveLength(1);
    expect(facts.reason).toBe("unknown");
    expect(facts.faults.map((fault) => fault.code)).toEqual(["end-missing", "frame-broken"]);
  });
});

describe("the second witness", () => {
  const agreeing: RunnerReport = {
    cases: [{ file: "test/a.test.ts", suite: [], title: "adds", state: "passed" }],
    failedFiles: [],
    header: { total: 1, passed: 1, failed: 0, success: true },
  };

  it("agrees when it says the same", () => {
    expect(decode({ second: { state: "read", report: agreeing } }).second_witness).toBe("agrees");
  });

  it.each<[string, RunnerReport]>([
    [
      "more cases",
      {
        ...agreeing,
        cases: [...agreeing.cases, { file: "b", suite: [], title: "b", state: "passed" }],
        header: { ...agreeing.header, total: 2, passed: 2 },
      },
    ],
    ["fewer cases", { ...agreeing, cases: [], header: { ...agreeing.header, total: 0, passed: 0 } }],
    [
      "another title",
      { ...agreeing, cases: [{ file: "test/a.test.ts", suite: [], title: "adds more", state: "passed" }] },
    ],
    ["a failed file", { ...agreeing, failedFiles: ["test/b.test.ts"] }],
    [
      "a header above its own list (a skeleton report)",
      { ...agreeing, header: { total: 17, passed: 17, failed: 0, success: true } },
    ],
  ])("[E7] with %s it blocks", (_name, report) => {
    const facts = decode({ second: { state: "read", report } });
    expect(facts.second_witness).toBe("differs");
    expect(facts.faults.map((fault) => fault.code)).toEqual(["second-witness-differs"]);
  });
});
