import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { matchesIntegrity, parseIntegrity } from "./integrity.ts";

const bytes = new TextEncoder().encode("tarball");
const of = (algorithm: string, data: Uint8Array = bytes) =>
  `${algorithm}-${createHash(algorithm).update(data).digest("base64")}`;
const other = new TextEncoder().encode("another");

describe("matchesIntegrity", () => {
  test.each([
    ["sha512", of("sha512"), true],
    ["sha1 of old packages", of("sha1"), true],
    ["either of two digests", `${of("sha512", other)} ${of("sha512")}`, true],
    ["options after a question mark", `${of("sha512")}?size=7`, true],
    ["another content", of("sha512", other), false],
    ["a weaker digest never helps a wrong strong one", `${of("sha1")} ${of("sha512", other)}`, false],
    ["an unknown algorithm", "md5-AAAA", false],
    ["nothing", "", false],
  ])("%s", (_name, text, expected) => {
    expect(matchesIntegrity(bytes, text)).toBe(expected);
  });

  test("the strongest algorithm is chosen, whatever the order", () => {
    expect(parseIntegrity(`${of("sha256")} ${of("sha512")} ${of("sha1")}`)?.algorithm).toBe("sha512");
  });
});
