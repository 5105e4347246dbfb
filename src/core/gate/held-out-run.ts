import type { HeldOutFacts } from "../facts/index.ts";
import { exitText } from "./exit-text.ts";

/** Whether a held-out run is a whole pass: it ran, everything agrees, exactly the promised number passed and nothing else happened. */
export function heldOutPasses(run: HeldOutFacts, expected: number): boolean {
  const ended = run.exit.code === 0 && run.exit.error === null && run.exit.signal === null;
  return run.tree !== null && ended && run.faults.length === 0 && run.not_passed === 0 && run.passed === expected;
}

/** What may be shown of a held-out run: numbers and codes, never a title, a path or what it printed. */
export function heldOutText(run: HeldOutFacts, expected: number): string {
  if (run.tree === null) return "not run: its file is not in the store of this machine";
  const counts = `${run.passed} passed, ${run.not_passed} not passed (expected ${expected} passed)`;
  const faults = run.faults.length === 0 ? "" : `, ${[...new Set(run.faults)].join(", ")}`;
  return `${exitText(run.exit)}, ${counts}${faults}`;
}
