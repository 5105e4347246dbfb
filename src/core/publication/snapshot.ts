import type { Digest } from "../digest.ts";
import type { Marker } from "./marker.ts";

/** The remote branch that bears our name for this change, as it was read back. */
export type BranchState =
  | { readonly kind: "absent" }
  | {
      readonly kind: "present";
      /** The branch's tip. */
      readonly commit: string;
      /** Our trailer is on our commit, and the digest recomputed from that commit against its parent is the one it names. */
      readonly ours: boolean;
      /** Commits that are not ours lie on top of ours. */
      readonly person_commits: boolean;
    }
  | { readonly kind: "unknown"; readonly reason: string };

/** One pull request whose head branch begins with our prefix, in whatever state. */
export interface SeenPullRequest {
  readonly number: number;
  readonly url: string;
  readonly head_branch: string;
  readonly state: "open" | "merged" | "closed";
  /** The account that opened it. */
  readonly author: string;
  /** The marker of its body, null when there is none that can be read. */
  readonly marker: Marker | null;
  /** Who closed it without merging; null when it was not closed so, or when that is not known. */
  readonly closed_by: {
    readonly kind: "person" | "bot" | "vanished";
    readonly name: string;
    readonly comment: string | null;
  } | null;
  /** Of a merged one, whether its edit is still in base; null when that is not known. */
  readonly still_in_base: boolean | null;
  /** Commits that are not ours lie on its branch. */
  readonly person_commits: boolean;
}

/** Everything that was read before publishing. An answer that did not come is said, never left out. */
export interface PublicationSnapshot {
  readonly task: string;
  readonly change_digest: Digest;
  readonly same_edit_key: Digest;
  /** `branchName` of the change. */
  readonly branch: string;
  /** Our account on the forge. */
  readonly account: string;
  readonly branch_state: BranchState;
  /** Whether this branch and digest were stored as our intent before a push. */
  readonly intent_recorded: boolean;
  /** All pull requests in every state, by listing; `error` when the forge did not answer. */
  readonly pull_requests: readonly SeenPullRequest[] | "error";
  readonly authority: "operator" | "other";
  /** A person asked for this task to be tried again. */
  readonly retry: boolean;
  /** A signed `reopen` of what a reviewer had closed. */
  readonly reopen: boolean;
}
