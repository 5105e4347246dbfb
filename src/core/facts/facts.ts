import type { Digest } from "../digest.ts";
import type { CanaryFacts } from "./canary-facts.ts";
import type { ChangeFacts, Undetermined } from "./change-facts.ts";
import type { DirectionFacts } from "./direction-facts.ts";
import type { HeldOutFacts } from "./held-out-facts.ts";
import type { GeneratedFacts } from "./generated-facts.ts";
import type { LintFact } from "./lint-facts.ts";
import type { MutationFacts } from "./mutation-facts.ts";
import type { RequestFacts } from "./request-facts.ts";
import type { RuleFacts } from "./rule-facts.ts";
import type { OverrideFacts } from "./override-facts.ts";
import type { ProfileFacts } from "./profile-facts.ts";
import type { QuarantineFacts } from "./quarantine-facts.ts";
import type { RecordFacts } from "./record-facts.ts";
import type { CommandFacts, RunFacts } from "./run-facts.ts";

/** What one feature of the sandbox did when it attacked itself. */
export interface IsolationFeature {
  readonly name: string;
  readonly state: "held" | "missing" | "failed" | "not-tried";
  readonly detail: string;
}

/** Where the evidence was made and how well it was kept apart. */
export interface IsolationReport {
  readonly driver: string;
  readonly version: string;
  readonly work_tree: "overlay-root" | "overlay-user" | "copy" | "none";
  readonly features: readonly IsolationFeature[];
}

/** A program that took part, by name, version and digest or path kind. */
export interface ToolFact {
  readonly name: string;
  readonly version: string;
}

/** How the dependencies came to be. */
export interface DependencyFacts {
  readonly root: string;
  readonly manager: "npm" | "pnpm" | "yarn" | "bun" | "none";
  readonly lockfile: string | null;
  readonly key: Digest | null;
  readonly packages: number;
  readonly scripts: "none" | "run-without-network" | "skipped";
}

/** Files that decide how tests run and were taken from base in every run tree. */
export interface TrustRootFacts {
  /** Found by name or by the closure that the baseline run reported. */
  readonly changed: readonly { readonly path: string; readonly why: "name" | "closure"; readonly restored: boolean }[];
  readonly closure: readonly string[];
}

/** What the agent said of its own work: never evidence, always shown as a claim. */
export interface Claim {
  readonly text: string;
  readonly tests_added: number | null;
  readonly tests_passed: number | null;
  readonly says_all_pass: boolean;
}

/** How the agent's run ended. None of these means success. */
export interface AgentFacts {
  readonly driver: string;
  readonly stop: "end_turn" | "budget" | "cancelled" | "agent_error" | "protocol_fault" | "no_model" | "crashed";
  readonly exit: number | null;
  readonly duration_ms: number;
}

/** Everything measured about one change. The gate reads this, the contract, and nothing else. */
export interface Facts {
  readonly version: 1;
  readonly subject: {
    /** How the work came in: `deliver` re-tested a captured agent's tree, `check` the caller's own; `records` ran nothing and has only what `trueup run` recorded. */
    readonly mode: "deliver" | "check" | "records";
    readonly judged: "captured" | "work-tree" | "staged" | "commit";
    /** Whether base and contract were pinned outside what the agent could change. */
    readonly base_pinned: boolean;
    readonly base_ref: string;
    /** Where the base came from, for people: `--base`, `remote HEAD`, `merge base with main`. */
    readonly base_source: string;
  };
  /** Who asked for this in CI, and where the contract came from; absent where no CI asked. */
  readonly request?: RequestFacts;
  readonly contract_digest: Digest | null;
  readonly change: ChangeFacts;
  readonly runs: readonly RunFacts[];
  readonly commands: readonly CommandFacts[];
  /** Base once more, held to the files of tests that passed there and on head failed or were gone; absent where none did. */
  readonly base_again?: readonly RunFacts[];
  /** One for each tests entry whose head run was made; absent in facts of earlier versions. */
  readonly direction?: readonly DirectionFacts[];
  /** As `direction`. */
  readonly canary?: readonly CanaryFacts[];
  /** Absent where the contract has no held-out tests. */
  readonly held_out?: readonly HeldOutFacts[];
  /** Absent where the contract has no generated files. */
  readonly generated?: readonly GeneratedFacts[];
  /** What is new in the changed code by its syntax tree; absent where nothing is. */
  readonly lint?: readonly LintFact[];
  /** Absent where no budget was given for it. */
  readonly mutations?: MutationFacts;
  /** Absent where the change touches no path below `.trueup/overrides/`. */
  readonly overrides?: OverrideFacts;
  /** Absent where base's policy has no profile for this change: then it is judged as an agent's. */
  readonly profile?: ProfileFacts;
  /** Absent where base's policy has no rules. */
  readonly rules?: RuleFacts;
  /** Absent where base's policy puts no test into quarantine. */
  readonly quarantine?: QuarantineFacts;
  /** The session's command records; null where the executor ran everything itself. */
  readonly records: RecordFacts | null;
  readonly trust_roots: TrustRootFacts;
  readonly dependencies: readonly DependencyFacts[];
  readonly toolchain: readonly ToolFact[];
  readonly isolation: IsolationReport | null;
  readonly agent: AgentFacts | null;
  readonly claim: Claim | null;
  /** Steps that could not be measured; each makes the verdict `undetermined`. */
  readonly undetermined: readonly Undetermined[];
}
