import { describe, expect, test } from "vitest";
import { makeChange, makeEntry, makeFacts, makeInput, makeRun } from "../../../test/fixtures/facts-builders.ts";
import { makeOverrideFacts, makeOverrideRow, makeRowFact } from "../../../test/fixtures/override-builders.ts";
import type { ChangeEntry, Facts, OverrideRowFact } from "../facts/index.ts";
import { overridePath, type OverrideRow } from "../override/index.ts";
import { evaluate } from "./evaluate.ts";
import type { Verdict } from "./verdict.ts";

const honest = makeChange().entries;
const stray = makeEntry({ path: "docs/notes.md", added_lines: 0, deleted_lines: 0 });

/** The added file of a row. */
const rowEntry = (row: OverrideRow, overrides: Partial<ChangeEntry> = {}): ChangeEntry =>
  makeEntry({
    path: overridePath(row),
    status: "added",
    added_lines: 900,
    deleted_lines: 0,
    bytes: 9000,
    ...overrides,
  });

interface Judged {
  readonly rows: readonly OverrideRow[];
  readonly entries?: readonly ChangeEntry[];
  readonly facts?: Partial<Facts>;
  readonly rowFacts?: readonly OverrideRowFact[];
  readonly strict?: boolean;
}

function judge({ rows, entries = [...honest, stray], facts = {}, rowFacts, strict = false }: Judged): Verdict {
  const told = rowFacts ?? rows.map((row) => makeRowFact(row));
  return evaluate(
    makeInput({
      change: { entries: [...entries, ...rows.map((row) => rowEntry(row))] },
      facts: { ...(told.length === 0 ? {} : { overrides: makeOverrideFacts(told) }), ...facts },
      policy: { strict },
    }),
  );
}

const row = makeOverrideRow();
const decisive = (verdict: Verdict): readonly string[] =>
  verdict.findings
    .filter(({ severity }) => severity === "block" || severity === "undetermined")
    .map(({ code, subject }) => `${code} ${subject}`.trim());

describe("a valid override", () => {
  test("[C4] turns blocked into passed, and the finding stays where it was", () => {
    const without = judge({ rows: [] });
    const verdict = judge({ rows: [row] });
    expect([without.outcome, verdict.outcome]).toEqual(["blocked", "passed"]);
    expect(verdict.findings).toEqual(without.findings);
    expect(verdict.criteria).toEqual(without.criteria);
    expect(verdict.overrides).toMatchObject([
      { code: "outside-scope", subject: "docs/notes.md", user: "ada@example.com", reason: "A typo in passing." },
    ]);
  });

  test("opens what could not be determined too", () => {
    const facts = { undetermined: [{ code: "forge-down", subject: "forge", detail: "no answer" }] };
    const without = judge({ rows: [], entries: honest, facts });
    const [about] = without.findings.filter(({ severity }) => severity === "undetermined");
    expect([without.outcome, about?.code]).toEqual(["undetermined", "not-measured"]);
    const named = makeOverrideRow({ finding: { code: about?.code ?? "", subject: about?.subject ?? "" } });
    expect(judge({ rows: [named], entries: honest, facts }).outcome).toBe("passed");
  });

  test("opens a warning that `strict` made a block", () => {
    const facts = { lint: [{ rule: "test-empty" as const, path: "tests/slug.test.ts", line: 3, text: "it()" }] };
    const named = makeOverrideRow({ finding: { code: "lint-test-empty", subject: "tests/slug.test.ts" } });
    const verdict = judge({ rows: [named], entries: honest, facts, strict: true });
    expect(verdict.findings.filter(({ code }) => code === "lint-test-empty")).toMatchObject([{ severity: "block" }]);
    expect(decisive(verdict)).toContain("lint-test-empty tests/slug.test.ts");
    expect(verdict.overrides).toHaveLength(1);
  });

  test("[C3] opens one finding: the same code about another file still blocks", () => {
    const verdict = judge({ rows: [row], entries: [...honest, stray, makeEntry({ ...stray, path: "docs/other.md" })] });
    expect([verdict.outcome, verdict.overrides]).toMatchObject(["blocked", [{ subject: "docs/notes.md" }]]);
  });

  test("[C3] opens one finding: another code about the same file still blocks", () => {
    const facts = {
      trust_roots: { changed: [{ path: "docs/notes.md", why: "name" as const, restored: true }], closure: [] },
    };
    expect(judge({ rows: [row], facts }).outcome).toBe("blocked");
  });

  test("two of them open two findings", () => {
    const facts = {
      trust_roots: { changed: [{ path: "docs/notes.md", why: "name" as const, restored: true }], closure: [] },
    };
    const second = makeOverrideRow({ finding: { code: "trust-root-changed", subject: "docs/notes.md" } });
    expect(judge({ rows: [row, second], facts })).toMatchObject({ outcome: "passed", overrides: [{}, {}] });
  });

  test("a failed test run is opened only by every finding about it", () => {
    const red = { runs: [makeFacts().runs[0] ?? makeRun(), makeRun({ cases: [] })] };
    const codes = judge({ rows: [], entries: honest, facts: red }).findings.filter(
      ({ severity }) => severity === "block",
    );
    expect(codes.length).toBeGreaterThan(1);
    const rows = codes.map(({ code, subject }) => makeOverrideRow({ finding: { code, subject } }));
    expect(judge({ rows, entries: honest, facts: red }).outcome).not.toBe("blocked");
    expect(judge({ rows: rows.slice(1), entries: honest, facts: red }).outcome).toBe("blocked");
  });

  test("one that names nothing is told and changes nothing", () => {
    const verdict = judge({ rows: [row], entries: honest });
    expect([verdict.outcome, verdict.overrides]).toEqual(["passed", undefined]);
    expect(verdict.findings).toMatchObject([{ code: "override-unused", severity: "info" }]);
  });

  test("a change of nothing but rows is no work", () => {
    expect(decisive(judge({ rows: [row], entries: [] }))).toContain("no-change");
  });
});

describe("what a row may not do", () => {
  test("[C2] a forged row blocks an honest change", () => {
    const forged = [makeRowFact(row, { signature: { outcome: "unknown-signer", detail: "eve" } })];
    const verdict = judge({ rows: [row], entries: honest, rowFacts: forged });
    expect([verdict.outcome, decisive(verdict)]).toEqual(["blocked", [`override-unknown-signer ${overridePath(row)}`]]);
  });

  test("[C2] a forged row is not opened by a valid one", () => {
    const second = makeOverrideRow({ finding: { code: "override-unknown-signer", subject: overridePath(row) } });
    const rowFacts = [
      makeRowFact(row, { signature: { outcome: "unknown-signer", detail: "eve" } }),
      makeRowFact(second),
    ];
    const verdict = judge({ rows: [row, second], entries: honest, rowFacts });
    expect([verdict.outcome, verdict.overrides]).toEqual(["blocked", undefined]);
    expect(decisive(verdict)).toContain(`override-not-allowed ${overridePath(second)}`);
  });

  test("a signature that nobody could check leaves it open", () => {
    const rowFacts = [makeRowFact(row, { signature: { outcome: "unavailable", detail: "no ssh-keygen" } })];
    expect(judge({ rows: [row], entries: honest, rowFacts }).outcome).toBe("undetermined");
  });

  test("an added row that the facts do not tell of leaves it open", () => {
    expect(judge({ rows: [row], entries: honest, rowFacts: [] }).outcome).toBe("undetermined");
  });

  test.each(["modified", "deleted", "type-changed"] as const)("a %s row blocks, whatever the facts say", (status) => {
    const entries = [...honest, rowEntry(row, { status })];
    const verdict = judge({ rows: [], entries });
    expect(verdict.outcome).toBe("blocked");
    expect(decisive(verdict)).toContain(`override-not-added ${overridePath(row)}`);
  });

  test.each([
    ["a modified row", { status: "modified" }],
    ["a row that is a link", { new_mode: "120000" }],
    ["a row that is a program", { new_mode: "100755" }],
    ["a file of another name beside the rows", { path: ".trueup/overrides/notes.md" }],
  ] as const)("%s is exempt from neither scope nor caps", (_name, overrides) => {
    const verdict = judge({ rows: [], entries: [...honest, rowEntry(row, overrides)] });
    expect(verdict.findings.map(({ code }) => code)).toEqual(
      expect.arrayContaining(["outside-scope", "added-lines-over"]),
    );
  });

  test("an added row is exempt from both", () => {
    expect(decisive(judge({ rows: [row], entries: honest }))).toEqual([]);
  });
});
