import { describe, expect, test } from "vitest";
import { parseContractValue } from "../contract/index.ts";
import { draftContract, findWantedTests, type DraftMaterial } from "./draft-contract.ts";
import { findNamedPaths } from "./named-paths.ts";

const paths = ["README.md", "docs/a.md", "src/a.ts", "src/slugify.ts", "lib/a.ts", "test/slugify.test.ts"];

describe("files that a text names", () => {
  test.each([
    ["a path in ticks", "mend `src/slugify.ts`.", ["src/slugify.ts"]],
    ["a path with ./ at the end of a sentence", "Mend ./src/slugify.ts.", ["src/slugify.ts"]],
    ["a bare name that one file has", "Mend slugify.ts", ["src/slugify.ts"]],
    ["a bare name that two files have is no file", "Mend a.ts", []],
    ["a new file in a known directory", "Add `src/kebab.ts`", ["src/kebab.ts"]],
    ["a new file in no known directory", "Add `app/kebab.ts`", []],
    ["a directory", "all of src/ may change", ["src/**"]],
    ["an address, a mail and a version are none", "see https://example.org/src/a.ts, ada@src.ts, v1.2, e.g. this", []],
    ["a way out of the repository", "read ../src/a.ts and /etc/passwd.txt", []],
  ])("%s", (_name, text, expected) => {
    expect(findNamedPaths(text, paths).map((one) => one.path)).toEqual(expected);
  });
});

test.each([
  ["add one test", 1],
  ["Fix it and add two new unit tests.", 2],
  ["Write 12 tests", 12],
  ["add a regression test", 1],
  ["add tests", null],
  ["add one test here and two tests there", null],
  ["the one test file", null],
])("how many tests %j asks for", (text, expected) => {
  expect(findWantedTests(text)).toBe(expected);
});

describe("a draft", () => {
  const material: DraftMaterial = {
    text: "Mend src/slugify.ts and add two tests.",
    intent: null,
    paths,
    entry: { command: "npx vitest run", keep_base: true },
    prepare: [],
    passedOnBase: 3,
  };

  test("is a valid contract of what text, manifest and run say, each guess noted", () => {
    const { contract, notes } = draftContract(material);
    expect(contract).toEqual({
      changed_files_only: ["src/slugify.ts", "test/slugify.test.ts"],
      tests: [{ command: "npx vitest run", passed: 5 }],
    });
    expect(parseContractValue(contract).ok).toBe(true);
    expect(notes.map((one) => `${one.kind} ${one.key}`)).toEqual([
      "guess changed_files_only",
      "open changed_files_required",
      "open max_added_lines",
      "guess tests[0].command",
      "guess tests[0]",
    ]);
  });

  test.each([
    ["without a count it demands the difference", { passedOnBase: null }, [{ command: "npx vitest run", added: 2 }]],
    [
      "a refactoring keeps base's count",
      { intent: "refactor" as const },
      [{ command: "npx vitest run", keep_base: true, passed: 3 }],
    ],
    ["nothing says how tests are run: none are demanded", { entry: null }, undefined],
  ])("%s", (_name, keys, tests) => {
    expect(draftContract({ ...material, ...keys }).contract?.tests).toEqual(tests);
  });

  test("a build script becomes a step, and is said to be a guess", () => {
    const { contract, notes } = draftContract({ ...material, prepare: ["pretest"] });
    expect(contract?.prepare).toEqual([{ command: "npm run pretest" }]);
    expect(notes.at(-1)).toMatchObject({ kind: "guess", key: "prepare" });
  });

  test("from nothing there is none, and nothing is invented", () => {
    const { contract, notes } = draftContract({ ...material, text: "Make it better", entry: null });
    expect(contract).toBeNull();
    expect(notes.every((one) => one.kind === "open")).toBe(true);
  });
});
