import { expect, test } from "vitest";
import { decodeStatusLines } from "./status-lines.ts";

test.each([
  ["nothing", "", null, null],
  ["a started child", '{ "child-pid": 12, "pid-namespace": 4 }\n', 12, null],
  ["a whole run", '{ "child-pid": 12 }\n{ "exit-code": 3 }\n', 12, 3],
  ["a cut line", '{ "child-pid": 12 }\n{ "exit-co', 12, null],
  ["a code that is no number", '{ "exit-code": "0" }\n', null, null],
  ["a code that is no whole number", '{ "exit-code": 0.5 }\n', null, null],
  ["lines of another kind", 'null\n7\n[]\n"x"\n', null, null],
])("%s", (_title, text, childPid, exitCode) => {
  expect(decodeStatusLines(text)).toEqual({ childPid, exitCode });
});
