import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeChannel } from "./decode-channel.ts";
import type { WitnessMessage } from "./witness-messages.ts";

const key = Buffer.alloc(32, 7);
const counts = { cases: 0, passed: 0, failed: 0 };
const hello: WitnessMessage = { type: "hello", version: 1, node: "24.0.0", argv: ["vitest"] };
const init: WitnessMessage = {
  type: "init",
  version: 1,
  runner: { name: "vitest", version: "5.1.2" },
  projects: [{ name: "" }],
};
const start: WitnessMessage = { type: "start", modules: [] };
const end: WitnessMessage = {
  type: "end",
  reason: "passed",
  cases: [],
  modules: [],
  unhandled: [],
  counts,
  closure: [],
};
const whole = [hello, init, start, end];

function frame(payload: Uint8Array | string, sequence: number, signer: Uint8Array = key): Buffer {
  const body = Buffer.from(payload);
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(sequence));
  const mac = createHmac("sha256", signer).update(counter).update(body).digest();
  const length = Buffer.alloc(4);
  length.writeUInt32BE(40 + body.length);
  return Buffer.concat([length, counter, mac, body]);
}

const stream = (messages: readonly unknown[]): Buffer =>
  Buffer.concat(messages.map((message, index) => frame(JSON.stringify(message), index)));
const codes = (bytes: Uint8Array, truncated = false): string[] =>
  decodeChannel(bytes, key, truncated).faults.map((fault) => fault.code);

describe("decodeChannel", () => {
  it("gives every message of a whole stream and no fault", () => {
    const decoded = decodeChannel(stream(whole), key);
    expect(decoded.faults).toEqual([]);
    expect(decoded.messages).toEqual(whole);
    expect(decoded.payloads).toHaveLength(4);
  });

  it.each([
    ["nothing at all", Buffer.alloc(0), ["witness-absent"]],
    ["no end", stream([hello, init, start]), ["end-missing"]],
    ["a second end", stream([...whole, end]), ["end-twice"]],
    ["a case after the end", stream([...whole, start]), ["frame-after-end"]],
    ["loose bytes after the end", Buffer.concat([stream(whole), Buffer.from("x")]), ["frame-after-end"]],
    [
      "a stolen descriptor writing plain JSON after the end",
      Buffer.concat([stream(whole), Buffer.from(JSON.stringify(end))]),
      ["frame-after-end"],
    ],
    ["no hello", stream([init, end]), ["frame-broken", "end-missing"]],
    ["a second hello", stream([hello, hello, end]), ["frame-broken", "end-missing"]],
    [
      "a frame signed with another key",
      Buffer.concat([stream([hello]), frame(JSON.stringify(end), 1, Buffer.alloc(32, 8))]),
      ["frame-mac", "end-missing"],
    ],
    [
      "a repeated frame",
      Buffer.concat([stream([hello]), frame(JSON.stringify(hello), 0)]),
      ["frame-sequence", "end-missing"],
    ],
    [
      "a skipped number",
      Buffer.concat([stream([hello]), frame(JSON.stringify(end), 2)]),
      ["frame-sequence", "end-missing"],
    ],
    [
      "an impossible length",
      Buffer.concat([stream([hello]), Buffer.from([0xff, 0xff, 0xff, 0xff])]),
      ["frame-broken", "end-missing"],
    ],
    ["a payload that is no JSON", Buffer.concat([stream([hello]), frame("{", 1)]), ["frame-broken", "end-missing"]],
    [
      "a payload that is no UTF-8",
      Buffer.concat([stream([hello]), frame(Buffer.from([0x22, 0xff, 0x22]), 1)]),
      ["frame-broken", "end-missing"],
    ],
    ["a message with an unknown key", stream([hello, { ...end, extra: 1 }]), ["frame-broken", "end-missing"]],
    ["a message of an unknown type", stream([hello, { type: "green" }]), ["frame-broken", "end-missing"]],
  ])("[E7] %s is a fault", (_name, bytes, expected) => {
    expect(codes(bytes)).toEqual(expected);
  });

  it.each([
    ["a runner that refused its options", [hello], "the runner ended before it ran any test"],
    ["a runner that stopped in the middle", [hello, init, start], "the runner never said that it ended"],
  ])("%s is told apart", (_name, messages, detail) => {
    expect(decodeChannel(stream(messages), key).faults).toEqual([{ code: "end-missing", detail }]);
  });

  it("a channel cut at its size limit is a fault even when what came is whole", () => {
    expect(codes(stream(whole), true)).toEqual(["frame-broken"]);
  });

  it("[E12] truncation at every byte is a fault", () => {
    const bytes = stream(whole);
    for (let length = 0; length < bytes.length; length += 1)
      expect(codes(bytes.subarray(0, length)), `at ${length}`).not.toEqual([]);
  });

  it("[E12] a flipped bit anywhere is a fault", () => {
    const bytes = stream(whole);
    fc.assert(
      fc.property(fc.nat(bytes.length * 8 - 1), (bit) => {
        const copy = Buffer.from(bytes);
        copy.writeUInt8(copy.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        expect(codes(copy)).not.toEqual([]);
      }),
    );
  });

  it("[E12] frames in any other order, dropped or doubled are a fault", () => {
    const frames = whole.map((message, index) => frame(JSON.stringify(message), index));
    fc.assert(
      fc.property(fc.array(fc.nat(frames.length - 1), { maxLength: 8 }), (order) => {
        fc.pre(order.join() !== "0,1,2,3");
        expect(codes(Buffer.concat(order.map((index) => frames[index] ?? Buffer.alloc(0))))).not.toEqual([]);
      }),
    );
  });

  it("[E12] random bytes and random insertions are a fault", () => {
    const bytes = stream(whole);
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.nat(bytes.length), (junk, at) => {
        expect(codes(junk)).not.toEqual([]);
        expect(codes(Buffer.concat([bytes.subarray(0, at), junk, bytes.subarray(at)]))).not.toEqual([]);
      }),
    );
  });
});
