import { expect, it } from "vitest";
import { splitArguments } from "./split-arguments.ts";

it.each([
  [["a.test.js", "b.test.js"], [], ["a.test.js", "b.test.js"]],
  [["--test-name-pattern", "adds", "a.test.js"], ["--test-name-pattern=adds"], ["a.test.js"]],
  [["--test-name-pattern=adds", "a.test.js"], ["--test-name-pattern=adds"], ["a.test.js"]],
  [["a.test.js", "--experimental-strip-types"], ["--experimental-strip-types"], ["a.test.js"]],
  [["--test-timeout"], ["--test-timeout="], []],
])("sorts %j", (args, options, filters) => {
  expect(splitArguments("node-test", args)).toEqual({ options, filters });
});
