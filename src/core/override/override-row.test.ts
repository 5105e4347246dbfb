import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeOverrideRow, makeSshSignature } from "../../../test/fixtures/override-builders.ts";
import { isOverridePath, overridePath, parseOverride, renderOverride, signedText } from "./override-row.ts";

const row = makeOverrideRow();
const words = fc.string({ unit: "grapheme", minLength: 1, maxLength: 200 }).filter((text) => text.trim() !== "");
const rows = fc
  .record({ reason: words, user: words, subject: fc.string({ unit: "grapheme", maxLength: 100 }) })
  .map(({ subject, ...rest }) => makeOverrideRow({ ...rest, finding: { code: "outside-scope", subject } }));

describe("a row's file", () => {
  test("is read back as it was written, whatever its texts hold", () => {
    fc.assert(
      fc.property(rows, fc.boolean(), (one, signed) => {
        const file = { row: one, signature: signed ? makeSshSignature() : null };
        expect(parseOverride(renderOverride(file))).toEqual({ ok: true, file });
      }),
    );
  });

  test("[C2] what is signed covers finding, contract, change, reason, user and times", () => {
    const others = [
      makeOverrideRow({ finding: { ...row.finding, code: "forbidden-path" } }),
      makeOverrideRow({ finding: { ...row.finding, subject: "docs/other.md" } }),
      makeOverrideRow({ contract: null }),
      makeOverrideRow({ change: `sha256:${"0".repeat(64)}` }),
      makeOverrideRow({ reason: "Another reason." }),
      makeOverrideRow({ user: "eve@example.com" }),
      makeOverrideRow({ created_at: "2026-06-01T10:00:01.000Z" }),
      makeOverrideRow({ expires_at: "2036-07-01T10:00:00.000Z" }),
    ];
    expect(new Set([row, ...others].map(signedText)).size).toBe(9);
    expect(new Set([row, ...others].map(overridePath)).size).toBe(9);
  });

  test("two rows never want the same file, and each file is one that the gate takes for a row", () => {
    expect(overridePath(row)).not.toBe(overridePath(makeOverrideRow({ reason: "Another." })));
    expect(isOverridePath(overridePath(row))).toBe(true);
  });

  test.each([
    ["no JSON", "x", "it is not JSON"],
    ["a list", "[]\n", /expected object/u],
    [
      "a later version",
      renderOverride({ row, signature: null }).replace('"version":1', '"version":2'),
      /row\.version/u,
    ],
    ["an empty reason", renderOverride({ row: { ...row, reason: "  " }, signature: null }), /row\.reason/u],
    ["no user", renderOverride({ row: { ...row, user: "" }, signature: null }), /row\.user/u],
    ["a time that is none", renderOverride({ row: { ...row, expires_at: "never" }, signature: null }), /expires_at/u],
    ["the same in another form", JSON.stringify({ row, signature: null }, null, 2), /one stored form/u],
  ])("%s is none", (_name, text, reason) => {
    expect(parseOverride(text)).toMatchObject({ ok: false, reason: expect.stringMatching(reason) as string });
  });
});

describe("the place of a row", () => {
  test.each([
    ".trueup/overrides/x.json",
    `.trueup/overrides/${"A".repeat(64)}.json`,
    `.trueup/overrides/deep/${"a".repeat(64)}.json`,
    `x/.trueup/overrides/${"a".repeat(64)}.json`,
    `.trueup/overrides/${"a".repeat(64)}.json.sh`,
  ])("%s is none", (path) => {
    expect(isOverridePath(path)).toBe(false);
  });
});
