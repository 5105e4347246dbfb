import type { Grade } from "./verdict.ts";

/** How far a runner keeps the tests from what witnesses them, and the best grade that leaves. */
export interface RunnerIsolation {
  readonly runner: string;
  /** Whether test code runs in other processes than the one that holds the witness's channel. */
  readonly isolated: boolean;
  readonly best: Grade;
  /** What the report says where it costs a grade, else null. */
  readonly sentence: string | null;
}

/** One row a runner. How a run was really kept apart is seen from its own frames: `isolation-not-seen` where it was not. */
export const runnerIsolationTable: readonly RunnerIsolation[] = [
  { runner: "vitest", isolated: true, best: "A", sentence: null },
  { runner: "jest", isolated: true, best: "A", sentence: null },
  { runner: "node-test", isolated: true, best: "A", sentence: null },
  {
    runner: "pytest",
    isolated: false,
    best: "B",
    sentence:
      "pytest runs the tests in its own process, beside the witness: code that sets out to could speak in its name.",
  },
];

/** The row of a runner; one that is not in the table counts as not isolated. */
export function runnerIsolation(name: string): RunnerIsolation {
  const row = runnerIsolationTable.find((one) => one.runner === name);
  const sentence = `How ${name} keeps the tests apart from what witnesses them is not known.`;
  return row ?? { runner: name, isolated: false, best: "C", sentence };
}
