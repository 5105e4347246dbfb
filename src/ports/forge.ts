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
