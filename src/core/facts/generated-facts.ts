import type { CommandFacts } from "./run-facts.ts";

/** How a generated file on head stands beside what its command makes. */
export interface GeneratedDifference {
  readonly path: string;
  /** `missing`: the command does not make it; `extra`: it makes one that head does not have; `differs`: other bytes or mode. */
  readonly state: "differs" | "missing" | "extra";
}

/** One `generated` entry reproduced in the clean room. */
export interface GeneratedFacts {
  /** Which entry of the contract's `generated`. */
  readonly criterion: number;
  /** The tree the command ran over: head, with the changed generated files as they are on base. Null when a prepare step failed. */
  readonly tree: string | null;
  readonly run: Pick<CommandFacts, "argv" | "cwd" | "exit" | "started_at" | "duration_ms" | "stdout" | "stderr"> | null;
  /** How many files of head match the entry's paths. */
  readonly compared: number;
  readonly differing: readonly GeneratedDifference[];
}
