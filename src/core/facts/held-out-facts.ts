import type { Digest } from "../digest.ts";
import type { EvidenceFault, ExitFact } from "./run-facts.ts";

/**
 * One run of one held-out test. Counts only: a title or an error would tell what the test asks for, and facts are read by
 * people and agents who must not know it.
 */
export interface HeldOutFacts {
  /** Which entry of the contract's `held_out_tests`. */
  readonly criterion: number;
  readonly purpose: "head" | "base";
  /** The tree that the file was put into: the judged one, or base. */
  readonly over: string;
  /** The tree that ran, with the file; null when the file is not in the store of this machine. */
  readonly tree: string | null;
  /** The runner that was witnessed; null for a plain program, whose exit code is its one check. */
  readonly runner: { readonly name: string; readonly version: string } | null;
  readonly exit: ExitFact;
  readonly duration_ms: number;
  /** The codes of everything that disagrees, sorted. */
  readonly faults: readonly EvidenceFault["code"][];
  readonly passed: number;
  /** Cases, files and unhandled errors that are anything but a plain pass. */
  readonly not_passed: number;
  readonly evidence_digest: Digest | null;
}
