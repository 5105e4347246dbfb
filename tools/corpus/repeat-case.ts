import type { RunCase } from "./case-schema.ts";
import { deliverSide } from "./deliver-side.ts";
import type { CorpusCase } from "./load-corpus.ts";
import { planCase, sideKey } from "./plan-side.ts";
import type { Outcome } from "./read-outcome.ts";
import type { RepeatFigure } from "./repeat-figures.ts";

/** Deliveries at once: an attack that races is tried on a machine that has something else to do, too. */
const rooms = 2;

/** Delivers a case's own side `times` times, each time anew. `tell` hears every end. */
export async function repeatCase(
  root: string,
  one: CorpusCase<RunCase>,
  { times, tell }: { readonly times: number; readonly tell: (outcome: Outcome) => void },
): Promise<RepeatFigure> {
  const side = planCase(root, one);
  const outcomes: Outcome[] = [];
  const waiting = Array.from({ length: times }, (_, index) => index).values();
  const work = async (): Promise<void> => {
    for (const _turn of waiting) {
      const outcome = await deliverSide(side);
      outcomes.push(outcome);
      tell(outcome);
    }
  };
  await Promise.all(Array.from({ length: rooms }, work));
  return countOutcomes(sideKey(side), outcomes);
}

/** Only a verdict that stops the change counts; a delivery that ended in an error is one that was not stopped. */
export function countOutcomes(side: string, outcomes: readonly Outcome[]): RepeatFigure {
  const stopped = outcomes.filter(({ outcome }) => outcome === "blocked" || outcome === "undetermined");
  const [first, ...rest] = outcomes.map(({ codes }) => codes);
  const always = (first ?? []).filter((code) => rest.every((codes) => codes.includes(code)));
  return { side, runs: outcomes.length, blocked: stopped.length, always };
}
