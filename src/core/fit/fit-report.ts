import type { AcceptanceContract } from "../contract/index.ts";
import type { Digest } from "../digest.ts";
import type { DependencyFacts, ToolFact } from "../facts/index.ts";
import type { Grade } from "../gate/verdict.ts";

/** The steps of the executor that preflight runs, in order. */
export const fitSteps = ["clone", "admit", "toolchain", "bootstrap", "baseline"] as const;
export type FitStep = (typeof fitSteps)[number];

/** Why a repository cannot be worked on here, with what would mend it. */
export interface FitReason {
  readonly step: FitStep;
  /** A code of the error table. */
  readonly code: string;
  /** Who can mend it: the repository's owner, whoever runs this machine; `unknown` is tried again first. */
  readonly mended_by: "repository" | "machine" | "unknown";
  readonly message: string;
  /** A path, a package, a command; null where the message says it all. */
  readonly subject: string | null;
  readonly detail: string | null;
  readonly remedy: string;
}

/** How long a step took. `skipped`: an earlier one failed. */
export interface FitTiming {
  readonly step: FitStep;
  readonly state: "done" | "failed" | "skipped";
  /** Null when it did not run. */
  readonly seconds: number | null;
}

/** One test command over the untouched base. */
export interface FitRun {
  readonly command: string;
  readonly cwd: string;
  readonly runner: string;
  readonly runner_version: string;
  readonly exit: number | null;
  readonly passed: number;
  readonly failed: number;
  /** Skipped, todo, pending. */
  readonly other: number;
}

/** What differs from the last time this repository was found fit under the same contract. */
export interface Drift {
  readonly what: string;
  readonly was: string;
  readonly now: string;
}

/** From where the contract came: `derived` is a guess from the repository's own manifest. */
export type ContractSource = "given" | "standing" | "derived" | "none";

/** The account of a preflight. Version 1 of a stable JSON format: keys are only ever added. */
export interface FitReport {
  readonly version: 1;
  readonly repository: string;
  readonly base: { readonly ref: string; readonly commit: string; readonly tree: string };
  readonly outcome: "fit" | "no-fit" | "undetermined";
  /** Empty exactly when the repository fits. */
  readonly reasons: readonly FitReason[];
  /** What holds all the same, in sentences: it costs something, or is not there. */
  readonly limits: readonly string[];
  readonly steps: readonly FitTiming[];
  readonly contract: {
    readonly source: ContractSource;
    readonly digest: Digest | null;
    readonly tests: readonly string[];
  };
  readonly toolchain: readonly ToolFact[];
  readonly dependencies: readonly DependencyFacts[];
  readonly baseline: readonly FitRun[];
  /** The best grade that a delivery can reach here, null when base was not measured. */
  readonly grade: { readonly best: Grade; readonly costs: readonly string[] } | null;
  readonly drift: readonly Drift[];
}

/** A contract with where it came from. */
export interface ChosenContract {
  readonly source: ContractSource;
  readonly contract: AcceptanceContract | null;
  readonly digest: Digest | null;
}

/** One reason that someone can mend is enough to decline; what could only not be found out leaves it open. */
export function decideOutcome(reasons: readonly Pick<FitReason, "mended_by">[]): FitReport["outcome"] {
  if (reasons.length === 0) return "fit";
  return reasons.every((one) => one.mended_by === "unknown") ? "undetermined" : "no-fit";
}
