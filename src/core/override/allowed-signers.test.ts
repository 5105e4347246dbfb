import { describe, expect, test } from "vitest";
import { parseAllowedSigners, principalOf } from "./allowed-signers.ts";

const key = "AAAAC3NzaC1lZDI1NTE5AAAAIOb7j9PCdul9jjQrTV3hxm";

describe("parseAllowedSigners", () => {
  test.each([
    ["an empty file", "", 0],
    ["comments and blank lines", "# nobody yet\n\n  \n", 0],
    ["a line that is commented out", `# ada@example.com ssh-ed25519 ${key}`, 0],
    ["a name without a key", "ada@example.com\nada@example.com ssh-ed25519\n", 0],
    ["a key without a name", `ssh-ed25519 ${key}`, 0],
    ["one person", `ada@example.com ssh-ed25519 ${key} ada's laptop\n`, 1],
    ["options before the key", `ada@example.com namespaces="trueup-override",valid-after="20260101" ssh-rsa ${key}`, 1],
    ["a security key", `ada@example.com sk-ssh-ed25519@openssh.com ${key}`, 1],
    ["CRLF", `ada@example.com ssh-ed25519 ${key}\r\nbob@example.com ssh-ed25519 ${key}\r\n`, 2],
  ])("%s", (_name, text, count) => {
    expect(parseAllowedSigners(text)).toHaveLength(count);
  });
});

describe("principalOf", () => {
  test.each([
    ["the name of the key", `ada@example.com ssh-ed25519 ${key}`, "ada@example.com"],
    ["the first of two", `ada@example.com,ada ssh-ed25519 ${key}`, "ada@example.com"],
    ["in quotes", `"ada@example.com" ssh-ed25519 ${key}`, "ada@example.com"],
    ["a pattern names nobody", `*@example.com ssh-ed25519 ${key}`, null],
    ["another key", `ada@example.com ssh-ed25519 ${key}x`, null],
    ["another type", `ada@example.com ssh-rsa ${key}`, null],
  ])("%s", (_name, text, name) => {
    expect(principalOf(parseAllowedSigners(text), `ssh-ed25519 ${key} comment\n`)).toBe(name);
  });
});
