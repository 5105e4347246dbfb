import canonicalize from "canonicalize";
import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "./digest.ts";

test("is the library's canonical JSON for every value that JSON can hold", () => {
  const keys = fc.oneof(
    fc.string(),
    fc.constantFrom(
      "a",
      "b",
      "10",
      "9",
      "-1",
      "",
      "__proto__",
      "toJSON",
      "constructor",
      "\u00e9",
      "\u{1f600}",
      "\uffff",
    ),
  );
  const values = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string({ unit: "binary" }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
      fc.constantFrom(null, true, false, -0, 1e21, 1e-7, 5e-324),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(keys, tie("value"), { maxKeys: 5 }),
    ),
  })).value;
  fc.assert(
    fc.property(values, (value) => {
      expect(canonicalJson(value)).toBe(canonicalize(value));
      // As a reader gets it, and with its keys turned round.
      expect(canonicalJson(JSON.parse(JSON.stringify(value)))).toBe(canonicalJson(value));
    }),
    { numRuns: 500 },
  );
});

test.each<[string, unknown, string]>([
  ["a missing member is left out", { b: undefined, a: 1 }, '{"a":1}'],
  ["a member in the wrong place, deep", [{ a: { z: 1, b: [{ d: 1, c: 2 }] } }], '[{"a":{"b":[{"c":2,"d":1}],"z":1}}]'],
  ["keys that the engine would put first", { b: 1, "2": 2, "10": 3 }, '{"10":3,"2":2,"b":1}'],
])("%s", (_name, value, text) => {
  expect(canonicalJson(value)).toBe(text);
});

test.each<[string, unknown]>([
  ["NaN", [Number.NaN]],
  ["an infinity", { a: Number.POSITIVE_INFINITY }],
  ["nothing", undefined],
  ["a function", () => 1],
])("%s has no JSON form", (_name, value) => {
  expect(() => canonicalJson(value)).toThrow();
});

test("the value is left as it is", () => {
  const value = Object.freeze({ b: Object.freeze({ d: 1, c: 2 }), a: Object.freeze([1]) });
  expect(canonicalJson(value)).toBe('{"a":[1],"b":{"c":2,"d":1}}');
  expect(Object.keys(value)).toEqual(["b", "a"]);
});
