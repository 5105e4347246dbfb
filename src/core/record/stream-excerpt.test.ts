import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { excerpt } from "../test-report/index.ts";
import { redactText } from "./redact.ts";
import { standardRedactionRules } from "./redaction-rules.ts";
import type { RecordedStream } from "./record.ts";
import { createStreamExcerpt } from "./stream-excerpt.ts";

const rules = standardRedactionRules([]);
const limits = { head_bytes: 64, tail_bytes: 128 };

function excerptOf(chunks: readonly Uint8Array[], within = limits): RecordedStream {
  const stream = createStreamExcerpt(rules, within);
  for (const chunk of chunks) stream.push(chunk);
  return stream.end();
}

/** The definition, over bytes that are all there. */
function plainExcerpt(all: Buffer): Omit<RecordedStream, "redactions"> {
  const { head_bytes, tail_bytes } = limits;
  if (all.length <= head_bytes + tail_bytes)
    return { head: all.toString(), tail: "", omitted_lines: 0, omitted_bytes: 0 };
  const continues = (at: number): boolean => ((all[at] ?? 0) & 0xc0) === 0x80;
  let head = all.subarray(0, head_bytes).lastIndexOf("\n") + 1;
  if (head === 0) for (head = head_bytes; continues(head);) head -= 1;
  let tail = all.length - tail_bytes;
  if (all[tail - 1] !== 0x0a) {
    const line = all.subarray(tail, -1).indexOf("\n");
    if (line >= 0) tail += line + 1;
    else while (continues(tail)) tail += 1;
  }
  const cut = all.subarray(head, tail);
  const newlines = cut.filter((byte) => byte === 0x0a).length;
  return {
    head: all.subarray(0, head).toString(),
    tail: all.subarray(tail).toString(),
    omitted_lines: newlines + (cut.at(-1) === 0x0a ? 0 : 1),
    omitted_bytes: cut.length,
  };
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("a stream's excerpt", () => {
  it("[A4] the same bytes give the same excerpt, in any chunks", () => {
    const any = fc.array(fc.constantFrom("line\n", "a longer line of words\n", "é", "x".repeat(90), "\n"), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(any, fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 20 }), (parts, sizes) => {
        const all = bytes(parts.join(""));
        const chunks: Uint8Array[] = [];
        let at = 0;
        for (const size of sizes) {
          chunks.push(all.slice(at, at + size));
          at += size;
        }
        chunks.push(all.slice(at));
        expect(excerptOf(chunks)).toEqual(excerptOf([all]));
      }),
    );
  });

  it("[A4] the excerpt is that of the whole bytes at once, also beyond every buffer", () => {
    const all = bytes(Array.from({ length: 20_000 }, (_, line) => `line ${line} of much output\n`).join(""));
    const chunks = Array.from({ length: Math.ceil(all.length / 997) }, (_, at) => all.slice(at * 997, (at + 1) * 997));
    const within = { head_bytes: 100_000, tail_bytes: 50_000 };
    expect(excerptOf(chunks, within)).toEqual({ ...excerpt(all, within), redactions: 0 });
  });

  it("[A4] an excerpt is what a plain reading of all bytes at once gives", () => {
    const parts = fc.array(
      fc.constantFrom(
        "line\n",
        "a longer line of words\n",
        "é",
        "\u{1f600}",
        "x".repeat(90),
        "\n",
        "password=abcdefghijklmnopq ",
      ),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(parts, fc.integer({ min: 1, max: 40 }), (texts, size) => {
        const all = bytes(texts.join(""));
        const chunks = Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
          all.slice(at * size, (at + 1) * size),
        );
        const { redactions: _redactions, ...cut } = excerptOf(chunks);
        expect(cut).toEqual(plainExcerpt(Buffer.from(redactText(texts.join(""), rules))));
      }),
    );
  });

  it("[A5] the last line survives 50 MB, and what was removed is counted", () => {
    const stream = createStreamExcerpt(rules);
    const block = bytes(`${"0123456789abcdef".repeat(63)}\n`.repeat(1000));
    for (let size = 0; size < 50e6; size += block.length) stream.push(block);
    stream.push(bytes("Error: the very last line\n"));
    const { tail, omitted_lines, omitted_bytes, head } = stream.end();
    expect(tail.endsWith("Error: the very last line\n")).toBe(true);
    expect(omitted_lines).toBeGreaterThan(40_000);
    expect(head.length + tail.length + omitted_bytes).toBeGreaterThan(50e6);
  });

  it("[A6] one line of 50 MB is bounded", () => {
    const stream = createStreamExcerpt(rules);
    const block = bytes("x".repeat(1_000_000));
    for (let count = 0; count < 50; count++) stream.push(block);
    const { head, tail, omitted_bytes } = stream.end();
    expect(head.length + tail.length).toBeLessThan(100_000);
    expect(head.length + tail.length + omitted_bytes).toBe(50_000_000);
  });

  it("[A17] redaction comes before truncation and is counted", () => {
    const secret = "ghp_0123456789abcdefghij0123456789abcdef";
    const { head, tail, redactions } = excerptOf([bytes(`${secret} and ${"y".repeat(400)} ${secret}\n`)]);
    expect(redactions).toBe(2);
    expect(head + tail).not.toContain("ghp_");
  });

  it("nothing gives nothing", () => {
    expect(excerptOf([])).toEqual({ head: "", tail: "", omitted_lines: 0, omitted_bytes: 0, redactions: 0 });
  });
});
