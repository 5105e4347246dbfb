import path from "node:path";
import { expect, test } from "vitest";
import { isRunCase } from "../../tools/corpus/case-schema.ts";
import { loadCorpus } from "../../tools/corpus/load-corpus.ts";
import { runCorpus } from "../../tools/corpus/run-corpus.ts";

const root = path.resolve(import.meta.dirname, "../../corpus");
const fast = loadCorpus(root).cases.filter(({ data }) => isRunCase(data) && data.fast === true);

test("the corpus has fast cases", () => {
  expect(fast.length).toBeGreaterThan(4);
});

test.each(fast.map((one) => [one.id, one] as const))("%s and its honest twin end as they say", async (_id, one) => {
  const [row] = await runCorpus(root, { cases: [one], tell: () => undefined });
  expect(row?.problems).toEqual([]);
});
