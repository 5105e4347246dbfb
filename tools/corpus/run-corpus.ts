import { isRunCase, type RunCase } from "./case-schema.ts";
import { deliverSide } from "./deliver-side.ts";
import { judgeCase, type Row } from "./judge-case.ts";
import type { CorpusCase } from "./load-corpus.ts";
import { planCase, planTwin, sideKey, type Side } from "./plan-side.ts";
import type { Outcome } from "./read-outcome.ts";

/** Deliveries at once: each is a clean room with several runs of a suite. */
const rooms = 2;

/** Runs cases and their twins, two rooms at a time, each distinct delivery once. `tell` hears every row as it is done. */
export async function runCorpus(
  root: string,
  { cases, tell }: { readonly cases: readonly CorpusCase[]; readonly tell: (row: Row) => void },
): Promise<readonly Row[]> {
  const delivered = new Map<string, Promise<Outcome>>();
  const deliver = (side: Side): Promise<Outcome> => {
    const key = sideKey(side);
    const known = delivered.get(key) ?? deliverSide(side);
    delivered.set(key, known);
    return known;
  };
  const runOne = async (one: CorpusCase): Promise<Row> => {
    const row = isRunCase(one.data)
      ? await runSides(root, { one: { ...one, data: one.data }, deliver })
      : judgeCase(one, { own: null, twin: null });
    tell(row);
    return row;
  };
  const rows = new Map<string, Row>();
  const waiting = cases.values();
  const work = async (): Promise<void> => {
    for (const one of waiting) rows.set(one.id, await runOne(one));
  };
  await Promise.all(Array.from({ length: rooms }, work));
  return cases.flatMap(({ id }) => rows.get(id) ?? []);
}

async function runSides(
  root: string,
  { one, deliver }: { readonly one: CorpusCase<RunCase>; readonly deliver: (side: Side) => Promise<Outcome> },
): Promise<Row> {
  const own = await deliver(planCase(root, one));
  const twin = planTwin(root, one);
  return judgeCase(one, { own, twin: twin === null ? null : await deliver(twin) });
}
