/** Keeps the first and the last bytes of a stream in constant memory. */
export interface EndsKeeper {
  push(bytes: Uint8Array): void;
  /** All bytes when they fit both ends together, else null. */
  whole(): Uint8Array | null;
  cut(): Ends;
}

/** Both ends of a stream that is longer than them. */
export interface Ends {
  readonly head: Uint8Array;
  /** The byte behind the head. */
  readonly next: number | undefined;
  /** The byte in front of the tail. */
  readonly before: number | undefined;
  readonly tail: Uint8Array;
  /** Bytes of the whole stream. */
  readonly total: number;
}

/** Keeps `headBytes` and `tailBytes`; nothing is allocated before the first byte. */
export function createEndsKeeper(headBytes: number, tailBytes: number): EndsKeeper {
  const empty = new Uint8Array(0);
  // Room for all that is still whole; beyond it the tail's ring takes over.
  let first = empty;
  let ring = empty;
  let total = 0;
  const ringBytes = tailBytes + 1;
  const pushRing = (bytes: Uint8Array): void => {
    const part = bytes.subarray(Math.max(0, bytes.length - ringBytes));
    const at = (total + bytes.length - part.length) % ringBytes;
    const room = Math.min(part.length, ringBytes - at);
    ring.set(part.subarray(0, room), at);
    ring.set(part.subarray(room), 0);
  };
  return {
    push(bytes) {
      if (bytes.length === 0) return;
      if (first === empty) [first, ring] = [new Uint8Array(headBytes + tailBytes), new Uint8Array(ringBytes)];
      if (total < first.length) first.set(bytes.subarray(0, first.length - total), total);
      pushRing(bytes);
      total += bytes.length;
    },
    whole: () => (total <= first.length ? first.subarray(0, total) : null),
    cut() {
      const at = total % ringBytes;
      const tail = Buffer.concat([ring.subarray(at + 1), ring.subarray(0, at)]);
      return { head: first.subarray(0, headBytes), next: first[headBytes], before: ring[at], tail, total };
    },
  };
}
