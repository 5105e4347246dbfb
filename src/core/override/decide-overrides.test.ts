import { describe, expect, test } from "vitest";
import {
  makeOverrideFacts,
  makeOverrideRow,
  makeRowFact,
  makeSshSignature,
} from "../../../test/fixtures/override-builders.ts";
import { sha256 } from "../digest.ts";
import type { OverrideFacts, OverrideRowFact } from "../facts/index.ts";
import { decideOverrides, isOverridable, overrideRefusals, type OverrideRefusal } from "./decide-overrides.ts";
import { overridePath, renderOverride, type OverrideRow } from "./override-row.ts";

const row = makeOverrideRow();
const text = renderOverride({ row, signature: makeSshSignature() });
const touched = makeSshSignature({ keyType: "sk-ssh-ed25519@openssh.com", flags: 1 });

const decide = (fact: OverrideRowFact, facts: Partial<OverrideFacts> = {}, contract = row.contract) =>
  decideOverrides(makeOverrideFacts([fact], facts), contract);

describe("a row that holds", () => {
  test("names its signer's key and its finding", () => {
    const { valid, refused } = decide(makeRowFact(row));
    expect(refused).toEqual([]);
    expect(valid.map((one) => [one.row.user, one.row.finding, one.key.slice(0, 7)])).toEqual([
      ["ada@example.com", row.finding, "SHA256:"],
    ]);
  });

  test.each<[string, OverrideRowFact, Partial<OverrideFacts>]>([
    [
      "a key that was touched, where base wants that",
      makeRowFact(row, { signed: touched }),
      { require_presence: true },
    ],
    ["in its last millisecond", makeRowFact(row), { judged_at: "2026-07-01T09:59:59.999Z" }],
    ["signed on a clock two minutes ahead", makeRowFact(row), { judged_at: "2026-06-01T09:58:00.000Z" }],
  ])("%s", (_name, fact, facts) => {
    expect(decide(fact, facts)).toMatchObject({ refused: [], valid: [{ row }] });
  });

  test("under no contract, for a change without one", () => {
    const free = makeOverrideRow({ contract: null });
    expect(decide(makeRowFact(free), {}, null).valid).toHaveLength(1);
  });

  test("facts without rows decide nothing", () => {
    expect(decideOverrides(undefined, null)).toEqual({ valid: [], refused: [] });
  });
});

const on = (change: Partial<OverrideRow>, more: Parameters<typeof makeRowFact>[1] = {}) =>
  makeRowFact(makeOverrideRow(change), more);
const said = (outcome: "altered" | "unknown-signer" | "unavailable" | "absent") =>
  makeRowFact(row, { signature: { outcome, detail: "ssh-keygen says so" } });

const refusals: readonly (readonly [string, OverrideRefusal, OverrideRowFact, Partial<OverrideFacts>?])[] = [
  ["a row that was modified rather than added", "override-not-added", makeRowFact(row, { added: false })],
  ["a file that is named otherwise", "override-not-added", makeRowFact(row, { path: ".trueup/overrides/a.json" })],
  ["a row that cannot be read", "override-malformed", makeRowFact(row, { text: null })],
  ["a row that is no JSON", "override-malformed", makeRowFact(row, { text: "{" })],
  ["a row with a key given twice", "override-malformed", makeRowFact(row, { text: text.replace("{", '{"row":1,') })],
  ["a row with one key more", "override-malformed", makeRowFact(row, { text: text.replace("{", '{"also":[],') })],
  [
    "a row whose file is named after another",
    "override-altered",
    makeRowFact(row, { path: overridePath(makeOverrideRow({ reason: "Another." })) }),
  ],
  ["bytes that the signature is not over", "override-altered", said("altered")],
  ["a signature that is none", "override-altered", makeRowFact(row, { signed: "signed, Ada" })],
  ["no signature", "override-unsigned", makeRowFact(row, { signed: null })],
  [
    "[C2] a signature made for a git commit",
    "override-wrong-namespace",
    makeRowFact(row, { signed: makeSshSignature({ namespace: "git" }) }),
  ],
  ["a base that names nobody", "override-without-signers", makeRowFact(row), { allowed_signers: 0 }],
  ["a key that base does not name", "override-unknown-signer", said("unknown-signer")],
  ["a signature nobody could check", "override-not-checked", said("unavailable")],
  ["a signature that was not looked at", "override-not-checked", said("absent")],
  [
    "an ordinary key where a touch is wanted",
    "override-without-presence",
    makeRowFact(row),
    { require_presence: true },
  ],
  [
    "a security key that nobody touched",
    "override-without-presence",
    makeRowFact(row, { signed: makeSshSignature({ keyType: "sk-ssh-ed25519@openssh.com", flags: 4 }) }),
    { require_presence: true },
  ],
  ["[C3] a row of another change", "override-replayed", on({ change: sha256("another change") })],
  [
    "[C3] a row of this change before its last edit",
    "override-replayed",
    makeRowFact(row),
    { change_digest: sha256("x") },
  ],
  ["[C3] a row under another contract", "override-replayed", on({ contract: sha256("another contract") })],
  ["[C3] a row under no contract", "override-replayed", on({ contract: null })],
  ["a row that has ended", "override-expired", makeRowFact(row), { judged_at: "2026-07-01T10:00:00.000Z" }],
  ["a row from tomorrow", "override-expired", makeRowFact(row), { judged_at: "2026-05-31T10:00:00.000Z" }],
  ["a row over a broken log", "override-not-allowed", on({ finding: { code: "log-broken", subject: "torn-line" } })],
  [
    "a row over another contract",
    "override-not-allowed",
    on({ finding: { code: "contract-changed", subject: "facts" } }),
  ],
  ["a row over a forged row", "override-not-allowed", on({ finding: { code: "override-altered", subject: "" } })],
];

describe("a row that does not hold", () => {
  test.each(refusals.map(([name, code, fact, facts]) => ({ name, code, fact, facts })))(
    "$name is refused as $code",
    ({ code, fact, facts }) => {
      const { valid, refused } = decide(fact, facts);
      expect([valid, refused.map((one) => one.code)]).toEqual([[], [code]]);
      expect(refused[0]).toMatchObject({ path: fact.path, detail: expect.stringMatching(/\S/u) as string });
    },
  );

  test("every refusal has a row here", () => {
    expect(new Set(refusals.map(([, code]) => code))).toEqual(new Set(overrideRefusals));
  });

  test.each(overrideRefusals)("no override opens %s", (code) => {
    expect(isOverridable(code)).toBe(false);
  });
});
