import { expect, test } from "vitest";
import { checkRow, namesRow } from "./check-row.ts";
import type { Row } from "./row-file.ts";

const row: Row = {
  id: "E3",
  assert: "a file outside the scope fails",
  core: true,
  issue: 2,
  status: "held",
  tests: ["a.test.ts"],
  fault: { file: "a.ts", find: "one", replace: "two" },
};
const files = { "a.test.ts": 'test("[E3] outside", f);', "a.ts": "one" } as const;
const reading = (changed: Readonly<Record<string, string>>) => (path: string) =>
  new Map(Object.entries({ ...files, ...changed })).get(path) ?? null;

test.each([
  ["all is there", row, {}, []],
  ["an open row", { ...row, status: "open", tests: ["none.test.ts"] }, {}, []],
  ["no such file", { ...row, tests: ["none.test.ts"] }, {}, ["none.test.ts does not exist"]],
  [
    "another row's title",
    row,
    { "a.test.ts": 'test("[E31] x", f);' },
    ["a.test.ts: no test whose title begins with [E3]"],
  ],
  ["a fault that fits nowhere", row, { "a.ts": "three" }, ["the fault's text stands 0 times in a.ts, not once"]],
  ["a fault that fits twice", row, { "a.ts": "one one" }, ["the fault's text stands 2 times in a.ts, not once"]],
  [
    "a fault without effect",
    { ...row, fault: { file: "a.ts", find: "one", replace: "one" } },
    {},
    ["the fault changes nothing"],
  ],
] satisfies readonly (readonly [string, Row, Readonly<Record<string, string>>, readonly string[]])[])(
  "a row with %s",
  (_title, subject, changed, problems) => {
    expect(checkRow(subject, reading(changed))).toEqual(problems);
  },
);

test.each([
  ['"[E3] outside"', true],
  ["'[E3] outside'", true],
  ["`[E3] ${name}`", true],
  ['"[E2] [E3] both"', true],
  ["// [E3] a comment", false],
  ['"see [E3]"', false],
])("a title %s names the row: %s", (text, expected) => {
  expect(namesRow(text, "E3")).toBe(expected);
});
