import type { RunFacts } from "./run-facts.ts";

/** A test file of head that is new or changed, and the changed sources that its imports reach. Paths are relative to the repository root. */
export interface ReachingTestFile {
  readonly file: string;
  readonly reaches: readonly string[];
}

/** For one tests entry: what changed tests do over the other side's sources. Both runs hold only the files they name. */
export interface DirectionFacts {
  readonly criterion: number;
  /** Changed paths that are neither tests, nor belong to tests, nor steer them, nor are documents. */
  readonly sources: readonly string[];
  readonly head_files: readonly ReachingTestFile[];
  /** Test files of base that were changed or removed, or that use a changed file of the tests. */
  readonly base_files: readonly string[];
  /** `head_files` over base's sources; null when there is no such file, or `not_run` says why. */
  readonly head_on_base: RunFacts | null;
  /** `base_files`, as they were, over head's sources. */
  readonly base_on_head: RunFacts | null;
  /** Why a run that would have been due was not made; null when none was left out. */
  readonly not_run: string | null;
}
