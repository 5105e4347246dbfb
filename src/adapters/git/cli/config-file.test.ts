import { expect, test } from "vitest";
import { isTrue, readConfigValue } from "./config-file.ts";

test.each([
  ["[core]\n\tautocrlf = true\n", "true"],
  ["[Core]\n\tAutoCRLF=input # said why\n", "input"],
  ["[core] autocrlf = yes\n", "yes"],
  ["[core]\nautocrlf\n", "true"],
  ['[core]\n\tautocrlf = "a # b"\n', "a # b"],
  ["[core]\n\tautocrlf = true\n\tautocrlf = false\n", "false"],
  ['[core "x"]\n\tautocrlf = true\n', null],
  ["[user]\n\tautocrlf = true\n", null],
  ["[core]\r\n\tautocrlf = true\r\n", "true"],
  ["[include]\n\tpath = /etc/passwd\n", null],
  ["", null],
])("core.autocrlf of %j is %j", (text, expected) => {
  expect(readConfigValue(text, "core", "autocrlf")).toBe(expected);
});

test.each([
  ["true", true],
  ["Yes", true],
  ["1", true],
  ["0", false],
  ["false", false],
  ["", false],
  [null, false],
])("%j is taken for %j", (value, expected) => {
  expect(isTrue(value)).toBe(expected);
});
