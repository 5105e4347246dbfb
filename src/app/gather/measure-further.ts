import type { CanaryFacts, DirectionFacts, Facts } from "../../core/facts/index.ts";
import type { Ids } from "../../ports/index.ts";
import { measureBaseAgain } from "./measure-base-again.ts";
import { measureCanary } from "./measure-canary.ts";
import { findEntries, measureDirection, type BothSides } from "./measure-direction.ts";

/** What runs of a part say beside the whole runs; each key only where there is something. */
export type FurtherRuns = Pick<Facts, "base_again" | "direction" | "canary">;

/** Base again for what failed, then direction and canary of each entry whose runs stand: at most four small runs an entry. */
export async function measureFurther(sides: Omit<BothSides, "baseAgain">, ids: Ids): Promise<FurtherRuns> {
  const baseAgain = await measureBaseAgain(sides.base, sides.runs, sides.demands);
  const direction: DirectionFacts[] = [];
  const canary: CanaryFacts[] = [];
  for (const entry of await findEntries({ ...sides, baseAgain })) {
    direction.push(await measureDirection(entry));
    canary.push(await measureCanary(entry, ids.next()));
  }
  return {
    ...(baseAgain.length === 0 ? {} : { base_again: baseAgain }),
    ...(direction.length === 0 ? {} : { direction, canary }),
  };
}
