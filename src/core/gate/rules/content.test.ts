import { expect, test } from "vitest";
import { makeInput } from "../../../../test/fixtures/facts-builders.ts";
import type { ContentFact } from "../../facts/index.ts";
import { content } from "./content.ts";

const pair = { path: "src/slug.ts", text: "replace(" };
const fact = (kind: ContentFact["kind"], found: boolean): ContentFact => ({ ...pair, kind, found });

const rows: readonly (readonly [
  string,
  "file_contains" | "file_excludes",
  readonly ContentFact[],
  string,
  string | null,
])[] = [
  ["[D4] a text that is there meets file_contains", "file_contains", [fact("file", true)], "passed", null],
  [
    "[D4] a text that is not there fails file_contains",
    "file_contains",
    [fact("file", false)],
    "failed",
    "content-missing",
  ],
  ["a missing file fails file_contains", "file_contains", [fact("missing", false)], "failed", "content-missing"],
  [
    "[E4] a symlink never counts as content for file_contains",
    "file_contains",
    [fact("symlink", true)],
    "failed",
    "content-missing",
  ],
  [
    "a submodule never counts as content for file_contains",
    "file_contains",
    [fact("submodule", true)],
    "failed",
    "content-missing",
  ],
  [
    "[D4] a forbidden text that is there fails file_excludes",
    "file_excludes",
    [fact("file", true)],
    "failed",
    "content-present",
  ],
  [
    "[D4] a forbidden text that is not there meets file_excludes",
    "file_excludes",
    [fact("file", false)],
    "passed",
    null,
  ],
  ["a missing file meets file_excludes", "file_excludes", [fact("missing", false)], "passed", null],
  [
    "[E4] a symlink cannot hide a forbidden text behind it",
    "file_excludes",
    [fact("symlink", false)],
    "failed",
    "content-present",
  ],
  [
    "a submodule cannot hide a forbidden text in it",
    "file_excludes",
    [fact("submodule", false)],
    "failed",
    "content-present",
  ],
  ["a pair that was not read is undetermined, never a pass", "file_contains", [], "undetermined", "content-not-read"],
  [
    "an exclusion that was not read is undetermined, never a pass",
    "file_excludes",
    [],
    "undetermined",
    "content-not-read",
  ],
  [
    "two answers for one pair must both hold",
    "file_contains",
    [fact("file", true), fact("missing", false)],
    "failed",
    "content-missing",
  ],
  [
    "an answer about another text is no answer",
    "file_contains",
    [{ ...fact("file", true), text: "other" }],
    "undetermined",
    "content-not-read",
  ],
];

test.each(rows)("%s", (_name, key, contents, outcome, code) => {
  const result = content(makeInput({ change: { contents }, contract: { [key]: [pair] } }));
  expect(result.criteria?.map((one) => [one.kind, one.subject, one.outcome])).toEqual([[key, pair.path, outcome]]);
  expect(result.findings.map((one) => one.code)).toEqual(code === null ? [] : [code]);
});

test("one criterion a path and text", () => {
  const pairs = [pair, { ...pair, text: "x" }, { path: "b", text: "x" }];
  expect(content(makeInput({ contract: { file_contains: pairs } })).criteria).toHaveLength(3);
});
