import fc from "fast-check";
import { expect, test } from "vitest";
import { createOutputCollector } from "./output-collector.ts";

const chunk = fc.tuple(fc.constantFrom("stdout" as const, "stderr" as const), fc.uint8Array({ maxLength: 20 }));

test("both streams together keep the first bytes up to the limit, and say when there were more", () => {
  fc.assert(
    fc.property(fc.array(chunk), fc.nat(100), (chunks, limit) => {
      let overflows = 0;
      const shown: number[] = [];
      const events = {
        onChunk: (_: string, bytes: Uint8Array) => shown.push(...bytes),
        onOverflow: () => (overflows += 1),
      };
      const collector = createOutputCollector(limit, events);
      for (const [stream, bytes] of chunks) collector.add(stream, bytes);
      const all = chunks.flatMap(([stream, bytes]) => [...bytes].map((byte) => ({ stream, byte })));
      const kept = all.slice(0, limit);
      for (const stream of ["stdout", "stderr"] as const) {
        expect([...collector.bytes(stream)]).toEqual(
          kept.filter((each) => each.stream === stream).map((each) => each.byte),
        );
      }
      expect(shown).toEqual(kept.map((each) => each.byte));
      expect(overflows > 0).toBe(all.length > limit);
    }),
  );
});
