import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeContract } from "../../../../test/fixtures/facts-builders.ts";
import {
  earlierTree,
  makeNullRecord,
  makeRecord,
  makeSessionFacts,
} from "../../../../test/fixtures/record-builders.ts";
import type { LogFault } from "../../record/index.ts";
import type { CommandRecord } from "../../record/index.ts";
import { canonicalJson, digestOf } from "../../digest.ts";
import { evaluate } from "../evaluate.ts";
import type { Verdict } from "../verdict.ts";

const contract = makeContract({ tests: [{ command: "npx vitest run", keep_base: true }] });
const iteration = { tree_before: earlierTree, tree_after: earlierTree };

function judge(
  records: readonly CommandRecord[],
  more: Parameters<typeof makeSessionFacts>[1] & { any?: boolean } = {},
): Verdict {
  const { any, ...log } = more;
  const facts = { ...makeSessionFacts(records, log), contract_digest: digestOf(contract) };
  const policy = {
    minimum_grade: "D" as const,
    strict: false,
    failed_records: any === true ? ("any" as const) : ("retries" as const),
  };
  return evaluate({ facts, contract, contractDigest: digestOf(contract), policy });
}

function blocks(verdict: Verdict): readonly string[] {
  return [...new Set(verdict.findings.filter((one) => one.severity === "block").map((one) => one.code))];
}

const other = (order: number, over: Partial<CommandRecord> = {}): CommandRecord =>
  makeNullRecord(order, { matches: [], argv: ["tsk"], ...over });

const rows: readonly (readonly [string, readonly CommandRecord[], readonly string[]])[] = [
  ["green over the judged tree passes", [makeRecord(1)], []],
  ["[B2] no record of the command blocks", [makeRecord(1, { matches: [] })], ["command-not-run"]],
  ["[B3] a non-zero record blocks", [makeRecord(1, { exit_code: 1 })], ["command-failed"]],
  ["[B4] a null exit of an acceptance command blocks", [makeNullRecord(1)], ["null-exit"]],
  ["[B4] a null exit of another command on the judged tree blocks", [makeRecord(1), other(2)], ["null-exit"]],
  ["[B4] a mistyped command long ago, never retried, blocks", [other(1, iteration), makeRecord(2)], ["null-exit"]],
  [
    "a mistyped command long ago that was retried well does not block",
    [
      other(1, iteration),
      makeRecord(2, { matches: [], parent_command_id: "command-0001", ...iteration }),
      makeRecord(3),
    ],
    [],
  ],
  [
    "[B5] failed, then a linked retry that passed, still blocks",
    [makeRecord(1, { exit_code: 1 }), makeRecord(2, { parent_command_id: "command-0001" })],
    ["command-failed"],
  ],
  [
    "[B5] a linked retry blocks across trees too",
    [makeRecord(1, { exit_code: 1, ...iteration }), makeRecord(2, { parent_command_id: "command-0001" })],
    ["command-failed"],
  ],
  [
    "[B5] a flake retried on one tree without a link blocks",
    [makeRecord(1, { exit_code: 1 }), makeRecord(2)],
    ["command-failed"],
  ],
  ["red, edit, green passes", [makeRecord(1, { exit_code: 1, ...iteration }), makeRecord(2)], []],
  ["[B15] stale green: passed before the last edit", [makeRecord(1, iteration)], ["stale-record"]],
  ["[B15] a record whose tree is not known never satisfies", [makeRecord(1, { tree_before: null })], ["stale-record"]],
  ["a proof run never counts", [makeRecord(1, { exit_code: 1, role: "proof" }), makeRecord(2)], []],
  ["[B2] only proof runs are no run", [makeRecord(1, { role: "proof" })], ["command-not-run"]],
  ["[B7] an empty log blocks", [], ["command-not-run", "nothing-to-check"]],
  [
    "a loop of parents is no way around",
    [
      makeRecord(1, { parent_command_id: "command-0002", exit_code: 1 }),
      makeRecord(2, { parent_command_id: "command-0001" }),
    ],
    ["command-failed"],
  ],
];

describe("the gate over command records", () => {
  it.each(rows)("%s", (_name, records, codes) => {
    const verdict = judge(records);
    expect(blocks(verdict)).toEqual(codes);
    expect(verdict.outcome).toBe(codes.length === 0 ? "passed" : "blocked");
    expect(verdict.grade.value).toBe("D");
    expect(verdict.evidence).toBe("records");
  });

  it("[B5] the chain of a retry is shown, oldest first", () => {
    const verdict = judge([makeRecord(2, { parent_command_id: "command-0001" }), makeRecord(1, { exit_code: 1 })]);
    expect(verdict.findings.find((one) => one.code === "command-failed")?.detail).toBe(
      "npx vitest run: exit 1 -> exit 0",
    );
  });

  it("failed_records: any, and an iteration on another tree blocks", () => {
    const records = [makeRecord(1, { exit_code: 1, ...iteration }), makeRecord(2)];
    expect(blocks(judge(records, { any: true }))).toEqual(["command-failed"]);
    expect(judge(records, { any: true }).policy.failed_records).toBe("any");
  });

  it("[A19][A22] every fault of the log blocks, and so does a log without its anchor", () => {
    const kinds: readonly LogFault["kind"][] = [
      "torn-line",
      "broken-chain",
      "missing-file",
      "unknown-version",
      "invalid-record",
      "anchor-differs",
      "unreadable",
    ];
    for (const kind of kinds)
      expect(blocks(judge([makeRecord(1)], { faults: [{ kind, detail: "" }] }))).toEqual(["log-broken"]);
    expect(blocks(judge([makeRecord(1)], { anchored: false }))).toEqual(["log-unanchored"]);
  });

  it("a count that only a re-run can measure is a warning, never a silent pass", () => {
    const counted = makeContract({ tests: [{ command: "npx vitest run", passed: 4 }] });
    const facts = { ...makeSessionFacts([makeRecord(1)]), contract_digest: digestOf(counted) };
    const over = (strict: boolean): Verdict =>
      evaluate({ facts, contract: counted, contractDigest: digestOf(counted), policy: { minimum_grade: "D", strict } });
    expect(over(false).findings).toContainEqual({
      code: "count-not-measured",
      severity: "warn",
      subject: "tests[0]",
      detail: "passed",
    });
    expect(over(true).outcome).toBe("blocked");
  });
});

const anyRecord = fc
  .record({
    exit: fc.constantFrom(0, 1, null),
    judged: fc.boolean(),
    matches: fc.boolean(),
    parent: fc.nat({ max: 5 }),
    proof: fc.boolean(),
  })
  .map((one) => one);
const anyRecords = fc.array(anyRecord, { maxLength: 6 }).map((list) =>
  list.map((one, index) => {
    const over = {
      ...(one.judged ? {} : iteration),
      matches: one.matches ? ["tests[0]"] : [],
      parent_command_id: one.parent < index ? `command-${String(one.parent).padStart(4, "0")}` : null,
      role: one.proof ? ("proof" as const) : ("iteration" as const),
    };
    return one.exit === null ? makeNullRecord(index, over) : makeRecord(index, { ...over, exit_code: one.exit });
  }),
);

const shuffledRecords = anyRecords.chain((records) =>
  fc.tuple(
    fc.constant(records),
    fc.shuffledSubarray(records, { minLength: records.length, maxLength: records.length }),
  ),
);

describe("properties of the gate over records", () => {
  it("red, edit, green passes, however many reds came before the edit", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), (reds) => {
        const before = Array.from({ length: reds }, (_, order) => makeRecord(order, { ...iteration, exit_code: 1 }));
        expect(judge([...before, makeRecord(reds)]).outcome).toBe("passed");
      }),
    );
  });

  it("[B5] a flake that was tried again on one tree until it passed is blocked, linked or not", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(0, 1), { minLength: 2, maxLength: 6 }), fc.boolean(), (exits, linked) => {
        fc.pre(exits.includes(1));
        const tries = exits.map((exit_code, order) => {
          const parent = linked && order > 0 ? `command-${String(order - 1).padStart(4, "0")}` : null;
          return makeRecord(order, { exit_code, parent_command_id: parent });
        });
        expect(blocks(judge([...tries, makeRecord(exits.length)]))).toContain("command-failed");
      }),
    );
  });

  it("the order of the records on disk says nothing", () => {
    fc.assert(
      fc.property(shuffledRecords, ([records, shuffled]) => {
        expect(canonicalJson(judge(shuffled))).toBe(canonicalJson(judge(records)));
      }),
    );
  });

  it("adding a failing or null record never removes a block", () => {
    fc.assert(
      fc.property(anyRecords, fc.boolean(), fc.boolean(), (records, isNull, judged) => {
        const over = judged ? {} : iteration;
        const bad = isNull ? makeNullRecord(9, over) : makeRecord(9, { exit_code: 1, ...over });
        if (judge(records).outcome !== "passed") expect(judge([...records, bad]).outcome).not.toBe("passed");
      }),
    );
  });

  it("[A18] deleting a record never turns a block into a pass given its anchor", () => {
    fc.assert(
      fc.property(anyRecords, fc.nat(), (records, which) => {
        if (records.length === 0) return;
        const kept = records.filter((_, index) => index !== which % records.length);
        expect(judge(kept, { anchored: false }).outcome).not.toBe("passed");
      }),
    );
  });
});
