import { createHash } from "node:crypto";

/** The whole content of a framed stream, or why it is not what was sent. Never a part of it. */
export type DecodedFrames =
  { readonly ok: true; readonly chunks: readonly Uint8Array[] } | { readonly ok: false; readonly problem: string };

const magic = "TUF1";
const digestBytes = 32;
const headerBytes = magic.length + 4 + 4 + digestBytes;
/** A length no payload has: the frame that ends the stream. */
const endLength = 0xffffffff;

const digest = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};

function header(sequence: number, length: number): Buffer {
  const bytes = Buffer.alloc(magic.length + 8);
  bytes.write(magic, "latin1");
  bytes.writeUInt32BE(sequence, 4);
  bytes.writeUInt32BE(length, 8);
  return bytes;
}

/**
 * Frames chunks so that a transport that drops, strips, reorders or cuts bytes is found out: each frame carries its
 * number, its length and a SHA-256 over both and the payload; a last frame says that all was sent.
 */
export function encodeFrames(chunks: readonly Uint8Array[]): Uint8Array {
  const frames = chunks.flatMap((chunk, sequence) => {
    const head = header(sequence, chunk.length);
    return [head, digest(head, chunk), chunk];
  });
  const last = header(chunks.length, endLength);
  return new Uint8Array(Buffer.concat([...frames, last, digest(last)]));
}

/** Decodes what `encodeFrames` made, all of it or nothing. */
export function decodeFrames(bytes: Uint8Array): DecodedFrames {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks: Uint8Array[] = [];
  for (let offset = 0; ;) {
    const where = `frame ${chunks.length} at byte ${offset}`;
    if (buffer.length - offset < headerBytes) return { ok: false, problem: `${where} is cut` };
    const head = buffer.subarray(offset, offset + magic.length + 8);
    const length = head.readUInt32BE(8);
    if (!head.equals(header(chunks.length, length))) return { ok: false, problem: `${where} has no frame's beginning` };
    const start = offset + headerBytes;
    const end = length === endLength ? start : start + length;
    if (end > buffer.length) return { ok: false, problem: `${where} is cut` };
    const payload = buffer.subarray(start, end);
    if (!digest(head, payload).equals(buffer.subarray(start - digestBytes, start)))
      return { ok: false, problem: `${where} was altered` };
    if (length === endLength) return ended(chunks, buffer.length - end);
    chunks.push(new Uint8Array(payload));
    offset = end;
  }
}

function ended(chunks: readonly Uint8Array[], left: number): DecodedFrames {
  return left === 0 ? { ok: true, chunks } : { ok: false, problem: `${left} bytes follow the end` };
}
