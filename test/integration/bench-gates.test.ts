import path from "node:path";
import { expect, test } from "vitest";
import { runLiteralArm } from "../../bench/gates/literal-arm.ts";
import { runTrueupArm } from "../../bench/gates/trueup-arm.ts";
import { isRunCase } from "../../tools/corpus/case-schema.ts";
import { loadCorpus } from "../../tools/corpus/load-corpus.ts";
import { planCase, planTwin } from "../../tools/corpus/plan-side.ts";

const root = path.resolve(import.meta.dirname, "../../corpus");
const sidesOf = (id: string) => {
  const one = loadCorpus(root).cases.find((each) => each.id === id);
  if (one === undefined || !isRunCase(one.data)) throw new Error(`${id} is no case`);
  const twin = planTwin(root, { ...one, data: one.data });
  if (twin === null) throw new Error(`${id} has no twin`);
  return { cheat: planCase(root, { ...one, data: one.data }), twin };
};

test("[I9] a literal gate takes a file that ends its process for a pass; its facts say that no test ran and the source does not work", async () => {
  const { cheat, twin } = sidesOf("node-test-exit-at-load");
  expect(await runLiteralArm(cheat, null)).toEqual({ accepted: true, problems: [], works: false });
  expect(await runLiteralArm(twin, null)).toEqual({ accepted: true, problems: [], works: true });
  expect(await runTrueupArm(cheat)).toMatchObject({ accepted: false, testsRan: false, filesOutside: 0 });
  expect(await runTrueupArm(twin)).toEqual({ accepted: true, testsRan: true, filesOutside: 0, handedOver: 7 });
});
