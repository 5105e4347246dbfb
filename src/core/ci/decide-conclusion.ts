import type { Verdict } from "../gate/index.ts";

/** How the job ends. The exit code is the conclusion: nothing else is asked of a CI. */
export interface Conclusion {
  /** 0 is the only one that lets the change through. */
  readonly exit: 0 | 1 | 3;
  /** Said where the job passes although nothing was proven; null otherwise. */
  readonly notice: string | null;
}

/**
 * Passed ends with 0, blocked with 1, undetermined with 3. A change without any contract is let through with a notice only
 * where none is required and a person asks; an agent, and whoever is not known to be a person, must bring one.
 */
export function decideConclusion(asked: {
  readonly outcome: Verdict["outcome"];
  readonly requireContract: boolean;
  /** Null where nobody is named: a merge group. */
  readonly author: "person" | "bot" | "unknown" | null;
}): Conclusion {
  const { outcome, requireContract, author } = asked;
  if (outcome === "passed") return { exit: 0, notice: null };
  if (outcome === "blocked") return { exit: 1, notice: null };
  if (outcome === "undetermined") return { exit: 3, notice: null };
  if (requireContract || author === "bot" || author === "unknown") return { exit: 3, notice: null };
  return { exit: 0, notice: "Nothing was checked: there is no acceptance contract for this change." };
}
