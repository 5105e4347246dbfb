import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeEntry, makeInput } from "../../../test/fixtures/facts-builders.ts";
import { mergeContracts, type AcceptanceContract } from "../contract/index.ts";
import { caps } from "./rules/caps.ts";
import { scope } from "./rules/scope.ts";

const paths = ["src/a.ts", "src/b.ts", "test/a.test.ts", "docs/a.md", "fixtures/big.json"];
const globs = fc.uniqueArray(fc.constantFrom("src/**", "**/*.ts", "docs/**", "fixtures/**", "src/a.ts", "*/a*"), {
  minLength: 1,
  maxLength: 3,
});
const limit = fc.integer({ min: 0, max: 12 });
const part = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });

const contracts = fc
  .record({
    changed_files_only: part(globs),
    changed_files_within: part(fc.array(globs, { minLength: 1, maxLength: 2 })),
    changed_files_forbidden: part(globs),
    changed_files_required: part(fc.uniqueArray(fc.constantFrom(...paths), { minLength: 1, maxLength: 2 })),
    soft_paths: part(globs),
    uncounted: part(globs),
    max_added_lines: part(limit),
    max_deleted_lines: part(limit),
    max_changed_files: part(limit),
  })
  .map(
    (all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as AcceptanceContract,
  );

const changes = fc
  .uniqueArray(fc.record({ path: fc.constantFrom(...paths), added_lines: limit, deleted_lines: limit }), {
    selector: ({ path }) => path,
    maxLength: paths.length,
  })
  .map((entries) => entries.map((entry) => makeEntry(entry)));

const blocked = (contract: AcceptanceContract, entries: ReturnType<typeof makeEntry>[]): boolean =>
  [scope, caps].some((rule) =>
    rule(makeInput({ contract, change: { entries } })).findings.some((one) => one.severity === "block"),
  );

describe("[D14] a merged contract", () => {
  test("allows nothing that the task's or the standing one alone forbids, whatever changes", () => {
    let forbidden = 0;
    fc.assert(
      fc.property(contracts, contracts, changes, (task, standing, entries) => {
        if (!blocked(task, entries) && !blocked(standing, entries)) return;
        forbidden += 1;
        expect(blocked(mergeContracts(task, standing), entries)).toBe(true);
      }),
      { numRuns: 2000 },
    );
    expect(forbidden).toBeGreaterThan(100);
  });

  test("forbids nothing that each alone allows, where neither leaves anything out of the count or the scope", () => {
    let allowed = 0;
    // Wide enough that changes get through.
    const plain = ({ changed_files_only: only, max_added_lines: most }: AcceptanceContract): AcceptanceContract => ({
      ...(only === undefined ? {} : { changed_files_only: ["src/**", ...only] }),
      ...(most === undefined ? {} : { max_added_lines: most + 12 }),
    });
    fc.assert(
      fc.property(contracts.map(plain), contracts.map(plain), changes, (task, standing, entries) => {
        if (blocked(task, entries) || blocked(standing, entries)) return;
        allowed += 1;
        expect(blocked(mergeContracts(task, standing), entries)).toBe(false);
      }),
      { numRuns: 2000 },
    );
    expect(allowed).toBeGreaterThan(100);
  });
});
