import { expect, test } from "vitest";
import { parsePushedTips } from "./pushed-tips.ts";

const [a, b, none] = ["a".repeat(40), "b".repeat(40), "0".repeat(40)];

test.each([
  ["pre-push", `refs/heads/x ${a} refs/heads/y ${b}\n`, [{ ref: "refs/heads/y", commit: a, before: b }]],
  ["pre-push", `HEAD~1 ${a} refs/heads/y ${none}\n`, [{ ref: "refs/heads/y", commit: a, before: null }]],
  ["pre-push", `(delete) ${none} refs/heads/y ${b}\n`, []],
  ["pre-receive", `${b} ${a} refs/heads/y\n`, [{ ref: "refs/heads/y", commit: a, before: b }]],
  [
    "pre-receive",
    `${b} ${none} refs/heads/y\n${none} ${a} refs/tags/v1\n`,
    [{ ref: "refs/tags/v1", commit: a, before: null }],
  ],
  ["pre-receive", "", []],
  ["pre-push", `refs/heads/x ${a} refs/heads/y\n`, null],
  ["pre-push", "refs/heads/x main refs/heads/y main\n", null],
  ["pre-receive", `${b} ${a} y\n`, null],
  ["pre-receive", "garbage\n", null],
] as const)("%s: %j", (hook, text, tips) => {
  expect(parsePushedTips(hook, text)).toEqual(tips);
});
