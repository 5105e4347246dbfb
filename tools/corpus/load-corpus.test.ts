import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { loadCorpus } from "./load-corpus.ts";

const cheat = {
  version: 1,
  kind: "cheat",
  number: 17,
  name: "Empty test",
  mechanism: "It asserts nothing.",
  runner: "vitest",
  base: "small",
  contract: { tests: [{ command: "npx vitest run", passed: 1 }] },
  steps: [{ write: { path: "a.ts", text: "" } }],
  expected: { outcome: "blocked", codes: ["passed-count"], b: "blocked", counts: "blocked" },
  twin: { folder: "_twins/mend" },
};
const places: string[] = [];

function load(caseText: string) {
  const root = fs.mkdtempSync(path.join(tmpdir(), "trueup-cases-"));
  places.push(root);
  for (const folder of ["_bases/small", "_twins/mend", "one"])
    fs.mkdirSync(path.join(root, folder), { recursive: true });
  fs.writeFileSync(path.join(root, "one", "case.json"), caseText);
  return loadCorpus(root);
}

afterEach(() => {
  for (const place of places.splice(0)) fs.rmSync(place, { recursive: true });
});

test("a whole case is read", () => {
  const { cases, errors } = load(JSON.stringify(cheat));
  expect([errors, cases.map(({ id }) => id)]).toEqual([[], ["one"]]);
});

test.each<[string, object | string, RegExp]>([
  ["no JSON", "{", /case\.json cannot be read/u],
  ["an unknown key", { ...cheat, expect: 1 }, /^one: /u],
  ["another version", { ...cheat, version: 2 }, /^one: /u],
  ["no mechanism", { ...cheat, mechanism: "" }, /^one: /u],
  ["a cheat without a number", { ...cheat, number: null }, /a cheat has a number/u],
  ["a cheat without an honest twin", { ...cheat, twin: undefined }, /a cheat has a twin/u],
  [
    "a cheat that is expected to pass",
    { ...cheat, expected: { ...cheat.expected, outcome: "passed" } },
    /never expected/u,
  ],
  ["a cheat without the code that stops it", { ...cheat, expected: { ...cheat.expected, codes: [] } }, /which code/u],
  ["a contract that the product refuses", { ...cheat, contract: { test: [] } }, /contract/u],
  ["a step that no agent can play", { ...cheat, steps: [{ wrote: {} }] }, /steps/u],
  ["a base that is not there", { ...cheat, base: "other" }, /_bases\/other is not there/u],
  ["a twin that is not there", { ...cheat, twin: { folder: "honest" } }, /one\/honest is not there/u],
  ["no change at all", { ...cheat, steps: undefined }, /one\/head is not there/u],
  ["a path out of the repository", { ...cheat, delete: ["../x"] }, /^one: /u],
])("a case with %s is an error", (_name, data, message) => {
  const { errors } = load(typeof data === "string" ? data : JSON.stringify(data));
  expect(errors).toHaveLength(1);
  expect(errors[0]).toMatch(message);
});

test("a corpus without a case is an error", () => {
  const root = fs.mkdtempSync(path.join(tmpdir(), "trueup-cases-"));
  places.push(root);
  expect(loadCorpus(root).errors).toHaveLength(1);
});

test("the corpus of this repository is whole", () => {
  const { cases, errors } = loadCorpus(path.resolve(import.meta.dirname, "../../corpus"));
  expect(errors).toEqual([]);
  expect(cases.length).toBeGreaterThan(100);
});
