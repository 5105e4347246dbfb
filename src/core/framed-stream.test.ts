import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeFrames, encodeFrames } from "./framed-stream.ts";

const chunks = fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 6 });

test("[H10] any chunks come back byte for byte", () => {
  fc.assert(
    fc.property(chunks, (list) => {
      expect(decodeFrames(encodeFrames(list))).toEqual({ ok: true, chunks: list });
    }),
  );
});

test("[H10] a stream cut at any byte is an error, never a shorter stream", () => {
  fc.assert(
    fc.property(chunks, fc.nat(), (list, seed) => {
      const bytes = encodeFrames(list);
      expect(decodeFrames(bytes.subarray(0, seed % bytes.length)).ok).toBe(false);
    }),
  );
});

test("[H10] a stream whose NUL bytes were stripped is an error", () => {
  fc.assert(
    fc.property(chunks, (list) => {
      expect(decodeFrames(encodeFrames(list).filter((byte) => byte !== 0)).ok).toBe(false);
    }),
  );
});

test("a changed, missing or added byte anywhere is an error", () => {
  fc.assert(
    fc.property(chunks, fc.nat(), fc.integer({ min: 1, max: 255 }), (list, seed, change) => {
      const bytes = encodeFrames(list);
      const at = seed % bytes.length;
      const altered = bytes.map((byte, index) => (index === at ? byte ^ change : byte));
      const shorter = new Uint8Array([...bytes.subarray(0, at), ...bytes.subarray(at + 1)]);
      const longer = new Uint8Array([...bytes, change]);
      for (const wrong of [altered, shorter, longer]) expect(decodeFrames(wrong).ok).toBe(false);
    }),
  );
});

test("a whole frame that is left out is an error", () => {
  const [first, second] = [Buffer.from("first"), Buffer.from("second")];
  const whole = encodeFrames([first, second]);
  const frame = 44 + first.length;
  expect(decodeFrames(whole.subarray(frame))).toEqual({ ok: false, problem: expect.stringContaining("frame 0") });
});

test("no bytes at all are an error, and so is an end that was never sent", () => {
  expect(decodeFrames(new Uint8Array()).ok).toBe(false);
  expect(decodeFrames(encodeFrames([]))).toEqual({ ok: true, chunks: [] });
});
