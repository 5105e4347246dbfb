/** Collects what a run writes, up to a total, and says when anything moved. */
export interface OutputCollector {
  add(stream: "stdout" | "stderr", chunk: Uint8Array): void;
  bytes(stream: "stdout" | "stderr"): Uint8Array;
}

/** What the collector reports. */
export interface CollectorEvents {
  readonly onChunk: (stream: "stdout" | "stderr", chunk: Uint8Array) => void;
  /** Called once the total is above the limit; what is above it is not kept. */
  readonly onOverflow: () => void;
}

/** Keeps at most `limit` bytes of both streams together, in order of arrival. */
export function createOutputCollector(limit: number, events: CollectorEvents): OutputCollector {
  const chunks = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] };
  let left = limit;
  return {
    add(stream, chunk) {
      const kept = chunk.subarray(0, left);
      left -= kept.length;
      if (kept.length > 0) chunks[stream].push(kept);
      if (kept.length > 0) events.onChunk(stream, kept);
      if (kept.length < chunk.length) events.onOverflow();
    },
    bytes: (stream) => new Uint8Array(Buffer.concat(chunks[stream])),
  };
}
