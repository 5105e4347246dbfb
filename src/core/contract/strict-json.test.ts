import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseStrictJson } from "./strict-json.ts";

const refused: readonly [name: string, text: string, key: string, words: string][] = [
  ["nothing", "", "contract", "nothing in it"],
  ["white space", " \n", "contract", "nothing in it"],
  ["words", "not json", "contract", "line 1, column 1"],
  ["a comment", "{} // x", "contract", "more after the end"],
  ["two values", "{}{}", "contract", "more after the end"],
  ["a trailing comma", '{"a":1,}', "contract", "key in double quotes"],
  ["single quotes", "{'a':1}", "contract", "key in double quotes"],
  ["an open object", '{"a":1', "contract", "is expected"],
  ["an open string", '{"a', "contract", "not closed"],
  ["a raw newline in a string", '{"a":"x\ny"}', "a", "raw control character"],
  ["an unknown escape", '{"a":"\\x"}', "a", "unknown escape"],
  ["a leading zero", '{"a":01}', "contract", "line 1, column 7"],
  ["NaN", '{"a":NaN}', "a", "a value is expected"],
  ["Infinity", '{"a":-Infinity}', "a", "a value is expected"],
  ["a number that is not finite", '{"a":1e999}', "a", "finite"],
  ["negative zero", '{"a":-0}', "a", "negative zero"],
  ["a repeated key", '{"a":1,\n "a":1}', "a", "twice in one object (line 2, column 2)"],
  ["a repeated key deep inside", '{"a":[{"b":1,"b":2}]}', "a[0].b", "twice"],
  ["a key repeated in another spelling", '{"a":1,"\\u0061":2}', "a", "twice"],
  ["__proto__ as a key", '{"__proto__":{"a":1}}', "__proto__", "not a known key"],
  ["NUL", '{"a":"x\\u0000"}', "a", "NUL"],
  ["half a surrogate pair", '{"a":"\\ud800"}', "a", "surrogate"],
  ["a byte order mark", "\uFEFF{}", "contract", "a value is expected"],
  ["a non-breaking space", "\u00A0{}", "contract", "a value is expected"],
  ["depth that would overflow the stack", "[".repeat(100_000), "[0]", "levels deep"],
  ["more than 1 MiB", `"${"x".repeat(1_100_000)}"`, "contract", "larger"],
];

describe("parseStrictJson", () => {
  it.each(refused)("[D6] refuses %s", (_name, text, key, words) => {
    const result = parseStrictJson(text, "contract");
    expect(result.ok).toBe(false);
    if (result.ok) return;
    expect(result.issues[0]?.key.startsWith(key)).toBe(true);
    expect(result.issues[0]?.reason).toContain(words);
  });

  it("reads what the platform's parser reads", () => {
    const plain = fc.jsonValue().filter((value) => !/-0|\\u0000|\\ud[89a-f]|__proto__/u.test(JSON.stringify(value)));
    fc.assert(
      fc.property(plain, fc.constantFrom(0, 2, "\t"), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(parseStrictJson(text, "x")).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  it("never throws, whatever the text", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...Array.from('{}[]",:\\01e-.tn u')) })),
        (text) => {
          expect(parseStrictJson(text, "x").ok).toBeTypeOf("boolean");
        },
      ),
    );
  });
});
