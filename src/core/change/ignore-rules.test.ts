import { expect, test } from "vitest";
import { isIgnored, parseIgnoreFile } from "./ignore-rules.ts";

const root = (text: string) => parseIgnoreFile("", Buffer.from(text, "utf8"));

test.each([
  ["*.log", "a.log", false, true],
  ["*.log", "deep/a.log", false, true],
  ["/*.log", "deep/a.log", false, false],
  ["build/", "build", true, true],
  ["build/", "build", false, false],
  ["doc/*.txt", "doc/a.txt", false, true],
  ["doc/*.txt", "doc/sub/a.txt", false, false],
  ["**/foo", "a/b/foo", false, true],
  ["**/foo", "foo", false, true],
  ["a/**/b", "a/b", false, true],
  ["a/**/b", "a/x/y/b", false, true],
  ["a/**", "a/x/y", false, true],
  ["a/**", "a", true, false],
  ["a**b", "axxb", false, true],
  ["a**/b", "a/b", false, true],
  ["[ab].ts", "a.ts", false, true],
  ["[!ab].ts", "a.ts", false, false],
  ["[[:digit:]]", "7", false, true],
  ["\\!x", "!x", false, true],
  ["\\#x", "#x", false, true],
  ["# comment", "# comment", false, false],
  ["x\\ ", "x ", false, true],
  ["x   ", "x", false, true],
  ["x\r", "x", false, true],
  ["\ufeffx", "x", false, true],
  ["x\\", "x", false, false],
  ["[", "[", false, false],
  ["*\n!keep", "keep", false, false],
  ["!keep\n*", "keep", false, true],
])("%j against %s (directory: %s)", (text, path, directory, ignored) => {
  expect(isIgnored([root(text)], path, directory)).toBe(ignored);
});

test("the nearest file decides, and paths count from where it lies", () => {
  const files = [root("*.log\n/only"), parseIgnoreFile("sub", Buffer.from("!keep.log\n/own\n"))];
  expect(isIgnored(files, "sub/keep.log", false)).toBe(false);
  expect(isIgnored(files, "sub/other.log", false)).toBe(true);
  expect(isIgnored(files, "sub/own", false)).toBe(true);
  expect(isIgnored(files, "sub/deep/own", false)).toBe(false);
  expect(isIgnored(files, "sub/only", false)).toBe(false);
});

test("a pattern made to be slow is matched in bounded time", () => {
  const text = `${"*a".repeat(2000)}b\n${"**/".repeat(500)}z`;
  expect(isIgnored([root(text)], "a".repeat(4000), false)).toBe(false);
});
