import type { Digest } from "../digest.ts";

/** An account as the forge knows it; the author that git records proves nothing and is never used. */
export interface AccountFacts {
  readonly name: string;
  readonly kind: "person" | "bot" | "unknown";
  /** Whether it may write to the repository whose base is changed. */
  readonly permission: "write" | "less" | "unknown";
}

/** What of a contract a text held: its digest, no block, a block that is not valid; `unknown` where the text is not known. */
export type HeldContract = Digest | "none" | "invalid" | "unknown";

/** An issue that the change closes, or closed when it was opened, and the contract in it. */
export interface IssueContractFacts {
  readonly number: number;
  readonly author: AccountFacts;
  /** Null when nobody has edited it. */
  readonly last_editor: AccountFacts | null;
  readonly now: HeldContract;
  /** As the issue stood when the pull request was opened. */
  readonly at_opening: HeldContract;
  /** Whether the issue still stands open: what is done is no contract for something new. */
  readonly open: boolean;
  readonly closed_now: boolean;
  readonly closed_at_opening: "yes" | "no" | "unknown";
}

/** Who asked for a judgement in CI, and where the contract came from. Absent where no CI asked. */
export interface RequestFacts {
  /** `revision`: a CI without an event that is understood named base and head itself. */
  readonly kind: "pull-request" | "merge-group" | "revision";
  readonly number: number | null;
  /** Who opened it; null where nobody is named. */
  readonly author: AccountFacts | null;
  /** The head lies in another repository than the base. */
  readonly fork: boolean;
  /** The commit that was asked about, and is checked out. */
  readonly head: string;
  /** The commit whose standing contract counted. */
  readonly contract_base: string;
  readonly contract_from: "base" | "issue" | "base-and-issue" | "none";
  /** The issues that hold or held a contract, or of which that is not known. */
  readonly issues: readonly IssueContractFacts[];
  /** Why the issues could not be read; null when they were, or when none were to be read. */
  readonly issues_unread: string | null;
  /** What was in the work tree beside the checkout: then something ran there before the gate did. Empty when nothing was. */
  readonly ran_before: readonly string[];
}
