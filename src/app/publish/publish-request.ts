import type { Digest } from "../../core/digest.ts";
import type { Attempt, CommitRef, Forge, Mirror, PullRequest } from "../../ports/index.ts";
import type { Judged, Renderers } from "../gather/evaluate-change.ts";

/** Everything one publishing needs to know. */
export interface PublishRequest {
  readonly mirror: Mirror;
  readonly base: CommitRef;
  readonly url: string;
  readonly prefix: string;
  /** The branch the pull request is for. */
  readonly baseBranch: string;
  readonly forge: Forge | null;
  readonly attempt: Attempt;
  /** Attempts of this task whose publishing was recorded as done: their intents say nothing of a crash any more. */
  readonly settledAttempts: ReadonlySet<string>;
  readonly renderers: Renderers;
  readonly judged: Judged;
  /** What the task was pinned by: read back from the pull request, it says whether that is still the task. */
  readonly contractDigest: Digest | null;
  readonly task: { readonly id: string; readonly title: string };
  readonly authority: "operator" | "other";
  readonly agentWords: string;
  /** Commit date in seconds since the epoch. */
  readonly date: number;
  /** Heeded before the first effect; from the push on the pull request follows, whatever happens. */
  readonly signal?: AbortSignal;
}

/** A change that stands where others see it. */
export interface PublishedChange {
  readonly kind: "published" | "attached" | "already_merged";
  readonly branch: string;
  /** Null when it was there before. */
  readonly commit: string | null;
  readonly pullRequest: PullRequest | null;
  /** True when the task's open pull request holds another change than the judged one. */
  readonly otherChange: boolean;
}

/** What was published, or why nothing was. */
export type PublishOutcome =
  PublishedChange | { readonly kind: "declined" | "undetermined"; readonly branch: string; readonly reason: string };
