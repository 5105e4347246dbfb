import fc from "fast-check";
import { expect, test } from "vitest";
import { lineEndingRule, looksLikeText, type PathAttributes, withoutCarriageReturns } from "./line-endings.ts";

const none: PathAttributes = {
  text: "unspecified",
  crlf: "unspecified",
  eol: "unspecified",
  filter: "unspecified",
  ident: "unspecified",
  "working-tree-encoding": "unspecified",
};

test.each([
  [{}, "as-is"],
  [{ text: "set" }, "text"],
  [{ text: "unset" }, "as-is"],
  [{ text: "auto" }, "auto"],
  [{ eol: "crlf" }, "text"],
  [{ eol: "lf" }, "text"],
  [{ text: "auto", eol: "crlf" }, "auto"],
  [{ text: "unset", eol: "crlf" }, "as-is"],
  [{ crlf: "set" }, "text"],
  [{ crlf: "unset" }, "as-is"],
  [{ text: "auto", crlf: "unset" }, "auto"],
] as const)("%j gives %s", (some, rule) => {
  expect(lineEndingRule({ ...none, ...some })).toBe(rule);
});

test("without attributes the fallback holds", () => {
  expect(lineEndingRule(null)).toBe("as-is");
  expect(lineEndingRule(null, "auto")).toBe("auto");
  expect(lineEndingRule({ ...none, text: "unset" }, "auto")).toBe("as-is");
});

test("only a CR before LF goes, and nothing else changes", () => {
  const check = (bytes: Uint8Array): void => {
    const expected = Buffer.from(Buffer.from(bytes).toString("latin1").replaceAll("\r\n", "\n"), "latin1");
    expect(Buffer.compare(withoutCarriageReturns(bytes), expected)).toBe(0);
  };
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(0x0d, 0x0a, 0x61, 0)).map((codes) => Uint8Array.from(codes)),
      check,
    ),
  );
});

test.each([
  ["plain\r\ntext\r\n", true],
  ["a\0b", false],
  ["lone\rcr", false],
  ["", true],
  ["\x01\x02", false],
])("%j looks like text: %s", (text, expected) => {
  expect(looksLikeText(Buffer.from(text, "latin1"))).toBe(expected);
});
