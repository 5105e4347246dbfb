import { describe, expect, test } from "vitest";
import { makeCommand, makeFacts } from "../../../test/fixtures/facts-builders.ts";
import { canonicalJson } from "../digest.ts";
import { parseFacts } from "./parse-facts.ts";

const facts = makeFacts({ commands: [makeCommand()] });
const stored = canonicalJson(facts);

test("stored facts read back as they were", () => {
  expect(parseFacts(stored)).toEqual({ ok: true, facts });
});

describe("what is not exactly facts is never judged", () => {
  const damages: readonly (readonly [string, string, string])[] = [
    ["another version", ',"version":1}', ',"version":2}'],
    ["no list of runs", '"runs":[', '"walks":['],
    ["one key more", ',"version":1}', ',"version":1,"passed":true}'],
    ["no list of what could not be measured", ',"undetermined":[],"version":1}', ',"version":1}'],
    ["an exit code that is a word", '"exit":{"code":0,', '"exit":{"code":"0",'],
    ["a count that is null", '"added_lines":6', '"added_lines":null'],
    ["a fractional count", '"added_lines":6', '"added_lines":6.5'],
    ["a negative count", '"added_lines":6', '"added_lines":-6'],
    ["a digest that is none", '"change_digest":"sha256:', '"change_digest":"sha1:'],
    ["a case in a state that is not known", '"state":"passed"', '"state":"ok"'],
    ["a cut text", ',"version":1}', ""],
  ];
  test.each(damages)("%s", (_name, from, to) => {
    expect(stored).toContain(from);
    const result = parseFacts(stored.replace(from, to));
    expect(result.ok).toBe(false);
    expect(result.ok ? [] : result.issues).not.toEqual([]);
  });
  test.each(["", "null", "[]", "{}", "1"])("the text %j", (json) => {
    expect(parseFacts(json).ok).toBe(false);
  });
});
