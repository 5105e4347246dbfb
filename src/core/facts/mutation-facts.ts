/** One hunk of the change undone on its own, and what the change's tests said to that. */
export interface MutationFact {
  /** Relative to the repository root. */
  readonly path: string;
  /** First line of the hunk on head, from 1. */
  readonly line: number;
  /** `noticed`: a test failed or did not run to its end; `survived`: every test command passed as before. */
  readonly outcome: "noticed" | "survived";
}

/** What was tried of the change's hunks, and how many there was no time for. */
export interface MutationFacts {
  readonly tried: readonly MutationFact[];
  readonly left: number;
}
