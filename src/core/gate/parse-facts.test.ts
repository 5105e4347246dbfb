import { describe, expect, test } from "vitest";
import { makeCommand, makeFacts } from "../../../test/fixtures/facts-builders.ts";
import { makeRecord, makeSessionFacts } from "../../../test/fixtures/record-builders.ts";
import { canonicalJson } from "../digest.ts";
import { sealRecord } from "../record/index.ts";
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

describe("records of stored facts", () => {
  const { digest: _digest, prev: _prev, ...draft } = makeRecord(1);
  const sealed = sealRecord({ ...draft, exit_code: 1 }, null);
  const storedRecords = canonicalJson(makeSessionFacts([sealed]));

  test("are read when each one's digest names it", () => {
    expect(parseFacts(storedRecords)).toMatchObject({ ok: true, facts: { records: { log: { records: [sealed] } } } });
  });

  test.each([
    ["an exit code was changed", '"exit_code":1', '"exit_code":0'],
    ["a word was changed", canonicalJson(sealed.argv), canonicalJson([...sealed.argv, "--help"])],
  ])("are refused when %s under the old digest, since a verdict names them by it", (_name, from, to) => {
    expect(storedRecords).toContain(from);
    const result = parseFacts(storedRecords.replace(from, to));
    expect(result).toEqual({ ok: false, issues: [expect.stringContaining("is not the digest of the record")] });
  });
});
