import type { RunFacts } from "./run-facts.ts";

/** A test that must fail, put into a copy of a test file. */
export interface PlantedTest {
  readonly suite: readonly string[];
  readonly title: string;
  /** `twin`: it has suite path and title of a test that passed on head; `stray`: a title that nobody could know. */
  readonly kind: "twin" | "stray";
  readonly fails_by: "assertion" | "throw";
}

/** One test file with what was planted in it. */
export interface CanaryFile {
  /** Relative to the repository root. */
  readonly file: string;
  /** Empty where nothing could be planted. */
  readonly planted: readonly PlantedTest[];
}

/** For one tests entry: must-fail tests beside the real ones, in a run of their own. */
export interface CanaryFacts {
  readonly criterion: number;
  readonly files: readonly CanaryFile[];
  /** The run; a second one where the first only had real tests that failed. Empty when `not_run` says why. */
  readonly runs: readonly RunFacts[];
  readonly not_run: string | null;
}
