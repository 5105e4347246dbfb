import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createLineReader } from "./line-reader.ts";

function readAll(chunks: readonly Uint8Array[]): string[] {
  const lines: string[] = [];
  const reader = createLineReader((line) => lines.push(line));
  for (const chunk of chunks) reader.add(chunk);
  reader.end();
  return lines;
}

describe("createLineReader", () => {
  test("however the bytes are cut, the lines are the same", () => {
    const text = fc.array(fc.string({ unit: "grapheme" }).map((line) => line.replace(/[\r\n\ufeff]/gu, "")));
    fc.assert(
      fc.property(text, fc.array(fc.nat(50)), (lines, cuts) => {
        const bytes = new TextEncoder().encode(lines.map((line) => `${line}\n`).join(""));
        const ends = cuts.reduce<number[]>((all, cut) => [...all, (all.at(-1) ?? 0) + cut], []);
        const chunks = [...ends, bytes.length].map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
        expect(readAll(chunks)).toEqual(lines);
      }),
    );
  });

  test.each([
    ["a last line without an end", ["a\nb"], ["a", "b"]],
    ["carriage returns", ["a\r", "\nb\r\n"], ["a", "b"]],
    ["nothing", [], []],
    ["a flood without a line end", ["x".repeat(100_000)], ["x".repeat(65_536), "x".repeat(34_464)]],
  ])("%s", (_name, chunks, lines) => {
    expect(readAll(chunks.map((chunk) => new TextEncoder().encode(chunk)))).toEqual(lines);
  });
});
