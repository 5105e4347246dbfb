import type { AcceptanceContract } from "../contract/index.ts";
import type { Digest } from "../digest.ts";
import type { RepoAddress } from "./repo-address.ts";
import type { TaskAuthority, TaskBudget } from "./schema.ts";

/** One requested change, as its file says it. */
export interface Task {
  readonly title: string;
  /** As written; `address` is what it means. */
  readonly repo: string;
  readonly address: RepoAddress;
  /** Null: the remote's HEAD. */
  readonly base_ref: string | null;
  /** Null: the caller names the agent. */
  readonly agent: string | null;
  /** Null: the caller decides; on the command line that is `operator`. */
  readonly authority: TaskAuthority | null;
  /** What the task says, else what its contract says, else `behaviour`. */
  readonly intent: NonNullable<AcceptanceContract["intent"]>;
  readonly budget: TaskBudget;
  /** Seconds since the epoch, or null. */
  readonly created_at: number | null;
  /** The text for people and agent, with the block as it was written. Ask `agentPrompt` for what an agent may see. */
  readonly body: string;
  readonly contract: AcceptanceContract | null;
  readonly contract_digest: Digest | null;
}
