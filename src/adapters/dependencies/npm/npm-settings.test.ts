import { describe, expect, test } from "vitest";
import { parseNpmSettings } from "./npm-settings.ts";

describe("parseNpmSettings", () => {
  test.each<[string, string, readonly string[], boolean]>([
    ["an empty file", "", [], false],
    [
      "peer settings",
      "legacy-peer-deps=true\nstrict-peer-deps = false\r\n",
      ["--legacy-peer-deps=true", "--strict-peer-deps=false"],
      false,
    ],
    ["a bare key", "legacy-peer-deps", ["--legacy-peer-deps=true"], false],
    ["quotes", 'install-strategy="nested"', ["--install-strategy=nested"], false],
    ["scripts switched off", "ignore-scripts=true", [], true],
    ["a comment", "# legacy-peer-deps=true\n; ignore-scripts=true", [], false],
    ["another registry", "registry=https://evil.example\n@o:registry=https://evil.example", [], false],
    [
      "tokens, shells and hooks",
      "//r/:_authToken=${TOKEN}\nscript-shell=/tmp/x\nnode-options=--require=/tmp/x\ngit=/tmp/x",
      [],
      false,
    ],
    ["a value that carries a flag", "install-strategy=hoisted --registry=https://evil.example", [], false],
    ["an expansion", "legacy-peer-deps=${X}", [], false],
  ])("%s", (_name, text, flags, ignoreScripts) => {
    expect(parseNpmSettings(text)).toEqual({ flags, ignoreScripts });
  });
});
