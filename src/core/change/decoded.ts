/** What a strict decoder answers: the whole value, or why there is none. Never a part of it. */
export type Decoded<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

/** A decoder's refusal. */
export function refused(problem: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem };
}

/** Splits NUL-terminated records. A last record without its NUL was cut on the way: null. */
export function splitRecords(bytes: Uint8Array): readonly string[] | null {
  if (bytes.length === 0) return [];
  if (bytes[bytes.length - 1] !== 0) return null;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength - 1).toString("latin1");
  return text.split("\0");
}
