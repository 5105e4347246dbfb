import type { AccountFacts } from "../core/facts/index.ts";

/** A pull request as the forge lists it. */
export interface PullRequest {
  readonly number: number;
  readonly url: string;
  readonly head_branch: string;
  readonly base_branch: string;
  readonly title: string;
  readonly body: string;
  readonly state: "open" | "merged" | "closed";
  /** Who closed it: a person's decision is respected, a bot's or a vanished branch is not one. */
  readonly closed_by: {
    readonly kind: "person" | "bot" | "vanished";
    readonly name: string;
    readonly comment: string | null;
  } | null;
  /** The account that opened it. */
  readonly author: string;
}

export interface OpenPullRequest {
  readonly head_branch: string;
  readonly base_branch: string;
  readonly title: string;
  readonly body: string;
}

/** One repository on one forge. There is no method to force, delete or close, so nothing can. */
export interface Forge {
  readonly name: string;
  /** Our account, which every pull request we open carries as author. */
  readonly account: string;
  /** Every pull request in every state whose head branch begins with `prefix`, by listing. Throws `forge-failed`, never "none". */
  listPullRequests(prefix: string): Promise<readonly PullRequest[]>;
  openPullRequest(request: OpenPullRequest): Promise<PullRequest>;
}

/** An issue that a pull request closes, or closed when it was opened. */
export interface ClosedIssue {
  readonly number: number;
  readonly author: AccountFacts;
  /** Null when nobody has edited it. */
  readonly last_editor: AccountFacts | null;
  readonly body: string;
  /** As it stood when the pull request was opened; null where the forge cannot say. */
  readonly body_at_opening: string | null;
  readonly open: boolean;
  readonly closed_now: boolean;
  readonly closed_at_opening: "yes" | "no" | "unknown";
}

/** What CI asks a forge, with a token that can only read. Every method throws `forge-failed`, never says "none" instead. */
export interface ForgeReader {
  readonly name: string;
  /** All issues of this repository that the pull request closes now or closed at `opened_at` (ISO 8601), each once. */
  readClosedIssues(pull: { readonly number: number; readonly opened_at: string }): Promise<readonly ClosedIssue[]>;
  /** Whether that account is a person and may write to this repository. */
  readAccount(name: string): Promise<AccountFacts>;
}
