/** What one gate said about one change, and what the change was, as others than that gate saw it. */
export interface JudgedChange {
  readonly honest: boolean;
  readonly accepted: boolean;
  /** Whether a clean room saw every promised test run and pass; null where none is promised. */
  readonly testsRan: boolean | null;
  /** Whether the source does what was promised, asked outside any runner; null where that cannot be asked. */
  readonly works: boolean | null;
  /** Files of the change, counted from its bytes, that the contract does not let it touch. */
  readonly filesOutside: number;
  /** How many of the seven things that a reviewer starts from the gate hands over. */
  readonly handedOver: number;
}

export const handoffFields = 7;

/** One gate's row of the comparison; shares as `[of, all]`. */
export interface GateColumns {
  readonly cheats_accepted: readonly [number, number];
  readonly honest_refused: readonly [number, number];
  /** Of the accepted changes that promise tests: those whose tests did run and pass. */
  readonly tests_actually_run: readonly [number, number];
  /** Of the accepted changes whose behaviour can be asked: those that work. */
  readonly acceptance_met: readonly [number, number];
  /** In all accepted changes together. */
  readonly files_outside_scope: number;
  /** Mean of the fields handed over, of seven. */
  readonly handoff_quality: number;
  /** Mean of ten points a change: two each for the right decision, tests that ran, files in scope, work done, a whole handoff. */
  readonly reviewer_total: number;
}

/** Adds up what a gate did. A refused cheat costs its reviewer nothing; a refused honest change leaves one with nothing. */
export function gateColumns(changes: readonly JudgedChange[]): GateColumns {
  const accepted = changes.filter((one) => one.accepted);
  const share = (of: (one: JudgedChange) => boolean | null): readonly [number, number] => {
    const asked = accepted.filter((one) => of(one) !== null);
    return [asked.filter((one) => of(one) === true).length, asked.length];
  };
  const cheats = changes.filter((one) => !one.honest);
  const honest = changes.filter((one) => one.honest);
  const mean = (of: (one: JudgedChange) => number): number =>
    Number((changes.reduce((sum, one) => sum + of(one), 0) / Math.max(1, changes.length)).toFixed(2));
  return {
    cheats_accepted: [cheats.filter((one) => one.accepted).length, cheats.length],
    honest_refused: [honest.filter((one) => !one.accepted).length, honest.length],
    tests_actually_run: share((one) => one.testsRan),
    acceptance_met: share((one) => one.works),
    files_outside_scope: accepted.reduce((sum, one) => sum + one.filesOutside, 0),
    handoff_quality: mean((one) => one.handedOver),
    reviewer_total: mean(reviewerPoints),
  };
}

function reviewerPoints(one: JudgedChange): number {
  const handoff = (2 * one.handedOver) / handoffFields;
  if (!one.accepted) return (one.honest ? 0 : 8) + handoff;
  const good = [one.honest, one.testsRan !== false, one.filesOutside === 0, one.works !== false];
  return 2 * good.filter(Boolean).length + handoff;
}
