import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeRecord } from "../../../test/fixtures/record-builders.ts";
import type { Digest } from "../digest.ts";
import { parseLog, parseRecordLine } from "./parse-log.ts";
import type { CommandRecord, RecordDraft } from "./record.ts";
import { findRetryParent, retryChains } from "./retry-chains.ts";
import { encodeRecord, sealRecord } from "./seal-record.ts";
import { verifyLinks } from "./verify-chain.ts";

function draft(order: number, overrides: Partial<CommandRecord> = {}): RecordDraft {
  const { prev: _prev, digest: _digest, ...rest } = makeRecord(order, overrides);
  return rest;
}

function chainOf(drafts: readonly RecordDraft[]): readonly CommandRecord[] {
  const records: CommandRecord[] = [];
  for (const each of drafts) records.push(sealRecord(each, records.at(-1)?.digest ?? null));
  return records;
}

const five = chainOf([0, 1, 2, 3, 4].map((order) => draft(order)));
const line = (record: CommandRecord): string => encodeRecord(record).slice(0, -1);
const bytesOf = (records: readonly CommandRecord[]): Uint8Array => Buffer.from(records.map(encodeRecord).join(""));
const faultOf = (text: string): string => {
  const parsed = parseRecordLine(text);
  return parsed.ok ? "none" : parsed.fault.kind;
};

describe("a sealed record", () => {
  it("[A2] comes back from its line with the same words: a b is not a and b", () => {
    const words = fc.array(fc.string({ unit: "binary", maxLength: 8 }), { maxLength: 5 });
    fc.assert(
      fc.property(words, (argv) => {
        const record = sealRecord(draft(1, { argv: argv.map((word) => word.toWellFormed()) }), null);
        const parsed = parseRecordLine(line(record));
        expect(parsed.ok && parsed.record).toEqual(record);
      }),
    );
    const digests = [["a b"], ["a", "b"], ["a", "b", ""]].map((argv) => sealRecord(draft(1, { argv }), null).digest);
    expect(new Set(digests).size).toBe(3);
  });

  it("[A22] any changed field is seen", () => {
    const [record] = five;
    const changed: readonly Partial<CommandRecord>[] = [
      { exit_code: 1 },
      { argv: ["npx", "vitest", "run", "x"] },
      { cwd: "/elsewhere" },
      { matches: [] },
      { tree_before: null },
      { actor: "ci" },
      { started_at: "2026-01-01T00:00:01.000Z" },
      { duration_ms: 2 },
      { prev: five[1]?.digest ?? null },
      { digest: `sha256:${"0".repeat(64)}` },
    ];
    for (const change of changed) {
      const edited = { ...(record as CommandRecord), ...change };
      expect([change, faultOf(line(edited))]).toEqual([change, "broken-chain"]);
    }
  });

  it.each([
    ["half a line", (text: string) => text.slice(0, -20), "torn-line"],
    ["nothing", () => "", "torn-line"],
    ["a newer version", (text: string) => text.replace('"version":1', '"version":2'), "unknown-version"],
    ["no version", () => "{}", "unknown-version"],
    ["something else", () => '{"version":1}', "invalid-record"],
    ["a list", () => "[1]", "unknown-version"],
    [
      "another spelling of the same value",
      (text: string) => text.replace('"duration_ms":1', '"duration_ms":1.0'),
      "broken-chain",
    ],
  ])("[A22] %s is a fault", (_name, edit, kind) => {
    expect(faultOf(edit(line(five[0] as CommandRecord)))).toBe(kind);
  });

  it.each([
    ["a null exit without an error", { exit_code: null, error: null }],
    ["a negative duration", { duration_ms: -1 }],
    ["a fractional exit", { exit_code: 0.5 }],
    ["an unknown actor", { actor: "person" as "agent" }],
    ["a time that is none", { started_at: "yesterday" }],
    ["an unknown key", { note: "x" } as object],
  ])("%s is no record, also with a right digest", (_name, overrides) => {
    expect(faultOf(line(sealRecord(draft(1, overrides), null)))).toBe("invalid-record");
  });
});

describe("a chain", () => {
  it("is whole as it was written", () => {
    expect(verifyLinks(five)).toEqual([]);
    expect(parseLog(bytesOf(five), "log")).toEqual({ records: five, faults: [] });
    expect(parseLog(new Uint8Array(0), "log")).toEqual({ records: [], faults: [] });
  });

  it("[A22] leaving out, doubling, moving or putting in any record but the last breaks it", () => {
    const at = fc.integer({ min: 0, max: 3 });
    fc.assert(
      fc.property(at, fc.integer({ min: 0, max: 4 }), (from, to) => {
        const without = five.toSpliced(from, 1);
        expect(verifyLinks(without).length).toBeGreaterThan(0);
        expect(verifyLinks(five.toSpliced(to, 0, five[from] as CommandRecord)).length).toBeGreaterThan(0);
        if (from !== to)
          expect(verifyLinks(without.toSpliced(to, 0, five[from] as CommandRecord)).length).toBeGreaterThan(0);
        const forged = sealRecord(draft(9), five[from]?.prev ?? null);
        expect(verifyLinks(five.toSpliced(from, 0, forged)).length).toBeGreaterThan(0);
      }),
    );
  });

  it("[A22] a record of another session, or an id that comes twice, is a fault though the links are right", () => {
    const other = chainOf([draft(0), draft(1, { session_id: "another" })]);
    const twice = chainOf([draft(0), draft(0)]);
    expect([verifyLinks(other), verifyLinks(twice)].map((faults) => faults.map(({ kind }) => kind))).toEqual([
      ["invalid-record"],
      ["invalid-record"],
    ]);
  });

  it("[A19] a log cut at any byte but a line's end is torn, and no byte of it makes a record that was not there", () => {
    const bytes = bytesOf(five);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: bytes.length }), (cut) => {
        const { records, faults } = parseLog(bytes.subarray(0, cut), "log");
        const whole = cut === 0 || bytes[cut - 1] === 0x0a;
        expect(faults.map(({ kind }) => kind)).toEqual(whole ? [] : ["torn-line"]);
        expect(records).toEqual(five.slice(0, records.length));
      }),
    );
  });

  it("[A22] any changed byte is a fault", () => {
    const bytes = bytesOf(five);
    fc.assert(
      fc.property(fc.nat({ max: bytes.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, difference) => {
        const edited = Buffer.from(bytes);
        edited[at] = (edited[at] ?? 0) ^ difference;
        const { records, faults } = parseLog(edited, "log");
        expect(faults.length + verifyLinks(records).length).toBeGreaterThan(0);
      }),
    );
  });
});

const link = (order: number, parent: number | null): CommandRecord =>
  makeRecord(order, { parent_command_id: parent === null ? null : makeRecord(parent).command_id });
const orders = (records: readonly CommandRecord[]): readonly number[] =>
  records.map(({ command_id: id }) => Number(id.slice(-4)));

describe("retries", () => {
  it.each<[string, readonly CommandRecord[], readonly (readonly number[])[]]>([
    ["none", [link(1, null), link(2, null)], [[1], [2]]],
    ["a chain", [link(1, null), link(2, 1), link(3, 2)], [[1, 2, 3]]],
    ["two of one", [link(1, null), link(2, 1), link(3, 1)], [[1, 2, 3]]],
    ["a parent that is not there", [link(2, 1), link(3, 2)], [[2, 3]]],
    [
      "two chains woven",
      [link(1, null), link(2, null), link(3, 1), link(4, 2)],
      [
        [1, 3],
        [2, 4],
      ],
    ],
    ["itself as parent", [link(1, 1)], [[1]]],
    ["a circle", [link(1, 2), link(2, 1), link(3, 2)], [[1, 2, 3]]],
  ])("[A14] %s", (_name, records, chains) => {
    expect(
      retryChains(records)
        .map(orders)
        .map((chain) => chain.toSorted((a, b) => a - b)),
    ).toEqual(chains);
    const names = (all: readonly CommandRecord[]): readonly string[] =>
      retryChains(all)
        .map((chain) => orders(chain).join())
        .toSorted();
    expect(names(records.toReversed())).toEqual(names(records));
  });

  it("[A14] a retry comes after what it retries, also where a clock set back gave it the smaller id", () => {
    expect(retryChains([link(1, 2), link(2, 3), link(3, null)]).map(orders)).toEqual([[3, 2, 1]]);
  });

  it("[A14] every record is in exactly one chain, whatever the links", () => {
    const links = fc.array(fc.option(fc.nat({ max: 7 })), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(links, (parents) => {
        const records = parents.map((parent, order) => link(order, parent));
        expect(orders(retryChains(records).flat()).toSorted((a, b) => a - b)).toEqual(records.map((_, order) => order));
      }),
    );
  });

  const ran = { argv: ["npx", "vitest", "run"], cwd: "/repository" };
  const before: Digest = `sha256:${"1".repeat(64)}`;
  const after: Digest = `sha256:${"2".repeat(64)}`;
  const records = [
    makeRecord(1, { tree_before: before, tree_after: before }),
    makeRecord(2, { tree_before: before, tree_after: after }),
  ];

  it.each([
    ["the same again", { ...ran, tree: before }, 2],
    ["the same on what it left behind", { ...ran, tree: after }, 2],
    ["after an edit", { ...ran, tree: `sha256:${"3".repeat(64)}` }, null],
    ["on a tree that is not known", { ...ran, tree: null }, null],
    ["elsewhere", { ...ran, cwd: "/other", tree: before }, null],
    ["with a word more", { ...ran, argv: [...ran.argv, "x"], tree: before }, null],
    ["with words joined", { ...ran, argv: ["npx", "vitest run"], tree: before }, null],
  ])("[A14] %s", (_name, question, order) => {
    expect(findRetryParent(records, question)?.command_id ?? null).toBe(
      order === null ? null : makeRecord(order).command_id,
    );
  });

  it("a tree that was not known is equal to none", () => {
    const unknown = [makeRecord(1, { tree_before: null, tree_after: null })];
    expect(findRetryParent(unknown, { ...ran, tree: null })).toBeNull();
  });
});
