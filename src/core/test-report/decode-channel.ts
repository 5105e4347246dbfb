import { createHmac, timingSafeEqual } from "node:crypto";
import type { EvidenceFault } from "../facts/index.ts";
import { witnessMessage, type WitnessMessage } from "./witness-messages.ts";

/** What came over the channel: messages in order up to the first fault, and every fault. */
export interface DecodedChannel {
  readonly messages: readonly WitnessMessage[];
  /** The payloads of `messages`, as they were signed. */
  readonly payloads: readonly string[];
  readonly faults: readonly EvidenceFault[];
}

const lengthBytes = 4;
const sequenceBytes = 8;
const macBytes = 32;
const overhead = sequenceBytes + macBytes;
/** One frame holds at most 64 MiB: the final list of a very large suite. */
const frameLimit = 64 * 1024 * 1024;

type Frame = { readonly payload: Uint8Array; readonly next: number };
type Fault = { readonly fault: EvidenceFault };

function fault(code: EvidenceFault["code"], detail: string): Fault {
  return { fault: { code, detail } };
}

/** Cuts and authenticates the frame at `offset`. */
function readFrame(bytes: Uint8Array, offset: number, expected: { key: Uint8Array; sequence: number }): Frame | Fault {
  const where = `frame ${expected.sequence} at byte ${offset}`;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length - offset < lengthBytes) return fault("frame-broken", `${where} ends within its length`);
  const length = view.getUint32(offset);
  const start = offset + lengthBytes;
  if (length < overhead || length > frameLimit)
    return fault("frame-broken", `${where} has the impossible length ${length}`);
  if (bytes.length - start < length)
    return fault("frame-broken", `${where} wants ${length} bytes, ${bytes.length - start} are there`);
  const payload = bytes.subarray(start + overhead, start + length);
  const mac = createHmac("sha256", expected.key)
    .update(bytes.subarray(start, start + sequenceBytes))
    .update(payload)
    .digest();
  if (!timingSafeEqual(mac, bytes.subarray(start + sequenceBytes, start + overhead)))
    return fault("frame-mac", `${where} is not signed with the run's key`);
  if (view.getBigUint64(start) !== BigInt(expected.sequence))
    return fault("frame-sequence", `${where} carries another number`);
  return { payload, next: start + length };
}

function parseMessage(payload: Uint8Array, index: number): { text: string; message: WitnessMessage } | Fault {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(payload);
    const parsed = witnessMessage.safeParse(JSON.parse(text));
    if (parsed.success) return { text, message: parsed.data };
    return fault(
      "frame-broken",
      `frame ${index} is no message of the protocol: ${parsed.error.issues[0]?.message ?? "unknown"}`,
    );
  } catch {
    return fault("frame-broken", `frame ${index} holds no JSON`);
  }
}

/** The place of a message in the protocol: hello first and once, nothing after the end. */
function orderFault(message: WitnessMessage, before: readonly WitnessMessage[]): Fault | null {
  const ended = before.some((item) => item.type === "end");
  if (ended)
    return message.type === "end"
      ? fault("end-twice", "a second end")
      : fault("frame-after-end", `a ${message.type} frame after the end`);
  if ((message.type === "hello") !== (before.length === 0))
    return fault("frame-broken", before.length === 0 ? "the first frame is no hello" : "a second hello");
  return null;
}

/** Only the preload spoke when the runner refused its configuration or its options: the usual honest cause. */
function missingEnd(messages: readonly WitnessMessage[]): string {
  return messages.length === 1 ? "the runner ended before it ran any test" : "the runner never said that it ended";
}

/**
 * Decodes the witness's channel. Frames are believed up to the first fault and never after it.
 * `truncated` says that the sandbox cut the stream. An empty channel is `witness-absent`.
 */
export function decodeChannel(bytes: Uint8Array, key: Uint8Array, truncated = false): DecodedChannel {
  const messages: WitnessMessage[] = [];
  const payloads: string[] = [];
  const faults: EvidenceFault[] = truncated
    ? [{ code: "frame-broken", detail: "the channel was cut at its size limit" }]
    : [];
  const ended = (): boolean => messages.at(-1)?.type === "end";
  let offset = 0;
  while (offset < bytes.length) {
    const frame = readFrame(bytes, offset, { key, sequence: messages.length });
    const parsed = "fault" in frame ? frame : parseMessage(frame.payload, messages.length);
    const wrong = "fault" in parsed ? parsed : orderFault(parsed.message, messages);
    if ("fault" in frame || "fault" in parsed || wrong !== null) {
      const found = (wrong ?? fault("frame-broken", "unknown")).fault;
      faults.push(
        ended() && found.code !== "end-twice"
          ? { code: "frame-after-end", detail: `${bytes.length - offset} bytes after the end: ${found.detail}` }
          : found,
      );
      break;
    }
    messages.push(parsed.message);
    payloads.push(parsed.text);
    offset = frame.next;
  }
  if (bytes.length === 0) faults.push({ code: "witness-absent", detail: "nothing came over the witness's channel" });
  else if (!ended()) faults.push({ code: "end-missing", detail: missingEnd(messages) });
  return { messages, payloads, faults };
}
