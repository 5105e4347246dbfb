import { expect, test } from "vitest";
import { findElsewhere } from "./test-command.ts";

const paths = ["web/tests/a.test.ts", "api/tests/a.test.ts", "tests/b.test.ts", "web/src/a.ts", "xtests/c.test.ts"];
const reader = {
  tree: "t",
  entries: paths.map((path) => ({ path, mode: "100644", id: "0", size: 1 })),
  read: () => Promise.resolve(null),
};

test.each([
  ["a file of two packages, asked at the root", "", "tests/a.test.ts", ["api", "web"]],
  ["a leading ./ says nothing", "", "./tests/a.test.ts", ["api", "web"]],
  ["a file that is there", "web", "tests/a.test.ts", null],
  ["a file of the root, asked in a package", "web", "tests/b.test.ts", [""]],
  ["a file that is nowhere", "", "tests/z.test.ts", null],
  ["a name is whole: xtests is not tests", "", "ests/c.test.ts", null],
])("[D5] %s", (_name, cwd, argument, directories) => {
  expect(findElsewhere([argument], { reader, cwd })).toEqual(directories === null ? [] : [{ argument, directories }]);
});
