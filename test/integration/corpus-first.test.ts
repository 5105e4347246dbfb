import path from "node:path";
import { expect, test } from "vitest";
import { loadCorpus } from "../../tools/corpus/load-corpus.ts";
import { runCorpus } from "../../tools/corpus/run-corpus.ts";

const root = path.resolve(import.meta.dirname, "../../corpus");

test("[E12] 103: the corpus's lines that git does not count are counted, and its honest twin passes", async () => {
  const { cases, errors } = loadCorpus(root);
  const wanted = cases.filter(({ id }) => id === "git-uncountable-lines");
  const rows = await runCorpus(root, { cases: wanted, tell: () => undefined });
  expect([errors, rows.map(({ status, problems }) => [status, problems])]).toEqual([[], [["blocked", []]]]);
});
