import { expect, test } from "vitest";
import { decideCacheLimit } from "./cache-limit.ts";

test.each([
  [undefined, undefined, { bytes: 20_000_000_000, source: "default" }],
  [undefined, "5G", { bytes: 5_000_000_000, source: "TRUEUP_CACHE_MAX_BYTES" }],
  ["0", "5G", { bytes: 0, source: "flag" }],
  ["700MB", undefined, { bytes: 700_000_000, source: "flag" }],
  ["12k", undefined, { bytes: 12_000, source: "flag" }],
  ["much", undefined, { invalid: "much" }],
  ["-1", undefined, { invalid: "-1" }],
  ["1.5G", undefined, { invalid: "1.5G" }],
  [undefined, "999999999999999T", { invalid: "999999999999999T" }],
])("the limit of the cache from the flag %s and the variable %s", (flag, variable, wanted) => {
  expect(decideCacheLimit({ flag, variable })).toEqual(wanted);
});
