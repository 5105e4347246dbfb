import fc from "fast-check";
import { expect, test } from "vitest";
import { planClean, totalBytes, type CacheEntry } from "./index.ts";

const entry = (name: string, bytes: number, used: number, held = false): CacheEntry => ({
  area: "bases",
  name,
  bytes,
  used_at_ms: used,
  held,
});
const names = (entries: readonly CacheEntry[]): string => entries.map((one) => one.name).join("");

test.each([
  ["nothing, when all fits", [entry("a", 5, 1), entry("b", 5, 2)], 10, ""],
  ["the least recently used first", [entry("a", 5, 2), entry("b", 5, 1)], 5, "b"],
  ["never what is in use", [entry("a", 5, 1, true), entry("b", 5, 2)], 5, "b"],
  ["everything else for nothing", [entry("a", 5, 1, true), entry("b", 5, 2), entry("c", 1, 3)], 0, "bc"],
  ["no more than needed", [entry("a", 1, 1), entry("b", 9, 2), entry("c", 9, 3)], 18, "a"],
] as const)("cleaning removes %s", (_name, entries, max, wanted) => {
  expect(names(planClean(entries, max))).toBe(wanted);
});

test("what stays fits, or is in use; what goes was used before all that stays and could go", () => {
  const entries = fc.array(
    fc
      .record({ bytes: fc.nat(100), used: fc.nat(50), held: fc.boolean() })
      .map(({ bytes, used, held }) => entry("x", bytes, used, held)),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(entries, fc.nat(500), (all, max) => {
      const gone = new Set(planClean(all, max));
      const free = all.filter((one) => !gone.has(one) && !one.held);
      expect([...gone].some((one) => one.held)).toBe(false);
      if (free.length > 0) expect(totalBytes(all.filter((one) => !gone.has(one)))).toBeLessThanOrEqual(max);
      const newest = Math.max(0, ...[...gone].map((one) => one.used_at_ms));
      expect(free.every((one) => one.used_at_ms >= newest)).toBe(true);
    }),
  );
});
