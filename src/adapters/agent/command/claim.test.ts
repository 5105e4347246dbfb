import { describe, expect, test } from "vitest";
import { claimOf } from "./command-agent.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("claimOf", () => {
  test.each([
    { name: "nothing", stdout: bytes(""), claim: "" },
    { name: "only white space", stdout: bytes(" \n\n\t"), claim: "" },
    { name: "short words and empty lines after them", stdout: bytes("all 5 pass\n\n\n"), claim: "all 5 pass" },
    { name: "more than 4 KiB of white space at the end", stdout: bytes(`done${"\n".repeat(9000)}`), claim: "done" },
    { name: "more than 4 KiB of words", stdout: bytes(`begin${"x".repeat(5000)}end`), claim: `${"x".repeat(4093)}end` },
    {
      name: "a cut in the middle of a character",
      stdout: bytes(`${"\u20ac".repeat(2000)}`),
      claim: "\u20ac".repeat(1365),
    },
    { name: "bytes that are not UTF-8", stdout: Uint8Array.from([0x61, 0xff, 0x62]), claim: "a\ufffdb" },
  ])("$name", ({ stdout, claim }) => {
    expect(claimOf(stdout)).toBe(claim);
  });
});
