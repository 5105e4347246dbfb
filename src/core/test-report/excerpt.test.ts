import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { excerpt } from "./excerpt.ts";

const limits = { head_bytes: 16, tail_bytes: 24 };
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("excerpt", () => {
  it.each([
    ["nothing", "", { head: "", tail: "", omitted_lines: 0, omitted_bytes: 0 }],
    ["what fits", "one\ntwo\n", { head: "one\ntwo\n", tail: "", omitted_lines: 0, omitted_bytes: 0 }],
    ["exactly what fits", "x".repeat(40), { head: "x".repeat(40), tail: "", omitted_lines: 0, omitted_bytes: 0 }],
  ])("keeps %s whole", (_name, text, expected) => {
    expect(excerpt(encode(text), limits)).toEqual(expected);
  });

  it("cuts whole lines and counts them", () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}\n`);
    const cut = excerpt(encode(lines.join("")), limits);
    expect(cut.head).toBe("line 0\nline 1\n");
    expect(cut.tail).toBe("line 18\nline 19\n");
    expect(cut.omitted_lines).toBe(16);
  });

  it("keeps the last line of a 50 MB output", () => {
    const bytes = Buffer.concat([Buffer.alloc(50 * 1024 * 1024, "noise\n"), Buffer.from("\nError: the last word")]);
    expect(excerpt(bytes).tail.endsWith("\nError: the last word")).toBe(true);
    expect(excerpt(bytes).tail.length).toBeLessThan(32 * 1024);
  });

  it("bounds one 50 MB line and keeps both of its ends", () => {
    const bytes = Buffer.concat([Buffer.from("first"), Buffer.alloc(50 * 1024 * 1024, 0x78), Buffer.from("last")]);
    const cut = excerpt(bytes);
    expect(cut.head.startsWith("first")).toBe(true);
    expect(cut.tail.endsWith("last")).toBe(true);
    expect(cut.head.length + cut.tail.length).toBeLessThanOrEqual(32 * 1024);
    expect(cut.omitted_lines).toBe(1);
  });

  it("never splits a character and accounts for every byte", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
        const bytes = encode(text);
        const cut = excerpt(bytes, limits);
        expect(encode(cut.head).length + encode(cut.tail).length + cut.omitted_bytes).toBe(bytes.length);
        expect(text.startsWith(cut.head) && text.endsWith(cut.tail)).toBe(true);
      }),
    );
  });

  it("gives the same for the same bytes, also when they are no text", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(excerpt(bytes, limits)).toEqual(excerpt(Uint8Array.from(bytes), limits));
      }),
    );
  });
});
