import type { AcceptanceContract } from "../contract/index.ts";
import type { Facts } from "../facts/index.ts";
import { directionViews, redOnBase, type DirectionView } from "./direction-view.ts";
import { byIdentity, identityKey } from "./test-identity.ts";

/** The direction of one tests entry in numbers, for reports and the grade. */
export interface MeasuredDirection {
  readonly index: number;
  readonly added: number;
  /** New tests that fail over base's sources, and those of them that fail by an assertion. */
  readonly red: number;
  readonly byAssertion: number;
  /** Of base's copies of the changed tests, those that passed on base and those that pass over head's sources; null when none ran. */
  readonly kept: { readonly held: number; readonly all: number } | null;
  readonly notRun: string | null;
}

/** One for each entry whose direction was looked at. */
export function measureDirection(facts: Facts, contract: AcceptanceContract): readonly MeasuredDirection[] {
  return directionViews(facts, contract).map((view) => {
    const run = view.direction.head_on_base;
    const reds = run === null ? [] : view.added.map((one) => redOnBase(one, run)).filter((red) => red !== "green");
    return {
      index: view.index,
      added: view.added.length,
      red: reds.length,
      byAssertion: reds.filter((red) => red === "by-assertion").length,
      kept: keptOf(view),
      notRun: view.direction.not_run,
    };
  });
}

function keptOf({ base, direction }: DirectionView): MeasuredDirection["kept"] {
  if (direction.base_on_head === null) return null;
  const files = new Set(direction.base_files);
  const before = base.cases.filter((one) => one.state === "passed" && files.has(one.file));
  const after = byIdentity(direction.base_on_head.cases);
  const held = before.filter((one) => after.get(identityKey(one))?.state === "passed").length;
  return { held, all: before.length };
}
