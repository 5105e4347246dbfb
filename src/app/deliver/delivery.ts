import type { AcceptanceContract } from "../../core/contract/index.ts";
import type { Digest } from "../../core/digest.ts";
import type { Task } from "../../core/task/index.ts";
import type {
  Agent,
  Attempt,
  AttemptStore,
  Clock,
  CommitRef,
  Forge,
  Git,
  Mirror,
  PullRequest,
  StepName,
} from "../../ports/index.ts";
import type { z } from "zod";
import { TrueupError } from "../../errors.ts";
import type { Judged, Renderers } from "../gather/evaluate-change.ts";
import type { GatherPorts } from "../gather/gather-facts.ts";

/** Every port a delivery needs. */
export interface DeliverPorts extends GatherPorts {
  readonly git: Git;
  readonly attempts: AttemptStore;
  readonly clock: Clock;
  readonly agent: Agent;
  /** The forge of the repository, or null for a remote that has none we know: then only the branch is published. */
  readonly forge: Forge | null;
  readonly renderers: Renderers;
}

/** One task as pinned before anything runs. */
export interface DeliverRequest {
  readonly task: Task;
  /** Identity of the task for resuming. */
  readonly taskKey: Digest;
  readonly contract: AcceptanceContract | null;
  readonly contractDigest: Digest | null;
  /** The digest that the task was pinned by, where base's standing contract was merged with its own. */
  readonly taskDigest?: Digest | null;
  /** What the agent is told: the body with the contract's public projection. */
  readonly prompt: string;
  /** The address of the repository, as git takes it. */
  readonly url: string;
  readonly branchPrefix: string;
  /** Who runs this, recorded as the operator. */
  readonly operator: string;
  readonly newAttempt: boolean;
  readonly strict: boolean;
  readonly limits: { readonly agentWallMs: number; readonly agentIdleMs: number };
  readonly signal?: AbortSignal;
}

/** How a delivery ended. Only `published`, `attached` and `already_merged` left a change where others see it. */
export type DeliverStatus =
  "published" | "attached" | "already_merged" | "declined" | "acceptance_failed" | "undetermined";

export interface DeliverResult {
  readonly status: DeliverStatus;
  /** A sentence of why, for the statuses that need one. */
  readonly reason: string | null;
  /** Whether what stands where others see it is what a passed verdict under this contract speaks for. */
  readonly proven: boolean;
  readonly attemptId: string;
  readonly outDirectory: string;
  /** Null when an open pull request of the task was found before anything ran. */
  readonly judged: Judged | null;
  readonly branch: string | null;
  readonly commit: string | null;
  readonly pullRequest: PullRequest | null;
  /** What was read back from the remote after publishing. */
  readonly confirmed: { readonly branchAt: string | null; readonly pullRequestState: string | null } | null;
  /** True when an earlier run of the same task had ended and nothing was done again. */
  readonly resumed: boolean;
}

/** What the steps share: the request, the ports, the open attempt, and what earlier steps found. */
export interface Delivery {
  readonly request: DeliverRequest;
  readonly ports: DeliverPorts;
  readonly attempt: Attempt;
}

/** The base commit as the clone step pinned it. */
export interface ClonedBase {
  readonly mirror: Mirror;
  readonly base: CommitRef & { readonly ref: string };
}

/** What an earlier run stored for a step, or null. Throws `attempt-damaged` for what is not exactly of the shape. */
export function readCheckpoint<T>(attempt: Attempt, step: StepName, schema: z.ZodType<T>): T | null {
  const kept = attempt.checkpoint(step);
  if (kept === null) return null;
  const parsed = schema.safeParse(kept);
  if (parsed.success) return parsed.data;
  throw new TrueupError("attempt-damaged", { subject: `the ${step} step`, cause: parsed.error });
}

/** Stops before the next effect when the user has interrupted. */
export function stopIfInterrupted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new TrueupError("interrupted");
}

/** Runs one step with its events, unless the user has interrupted before it. */
export async function runStep<T>(delivery: Delivery, step: StepName, act: () => Promise<T>): Promise<T> {
  stopIfInterrupted(delivery.request.signal);
  return finishStep(delivery, step, act);
}

/** As `runStep`, also after an interruption: for a step without which something already done would be lost. */
export async function finishStep<T>(delivery: Delivery, step: StepName, act: () => Promise<T>): Promise<T> {
  const { progress } = delivery.ports;
  progress.report({ kind: "step", step, state: "start", detail: "" });
  try {
    const value = await act();
    progress.report({ kind: "step", step, state: "done", detail: "" });
    return value;
  } catch (error) {
    progress.report({ kind: "step", step, state: "failed", detail: error instanceof TrueupError ? error.code : "" });
    throw error;
  }
}
