import type { Digest } from "../digest.ts";
import type { PublicationSnapshot, SeenPullRequest } from "./snapshot.ts";

/** The rows of the table, in order. */
export type PublicationRow =
  | "unknown"
  | "squatted"
  | "person-commits"
  | "open-same-change"
  | "open-same-task"
  | "merged-in-base"
  | "merged-then-reverted"
  | "closed-by-person"
  | "closed-without-decision"
  | "our-own-crash"
  | "taken-down"
  | "nothing";

/** What to do; there is no decision that forces a push, deletes a branch or closes a pull request. */
export type PublicationDecision =
  | { readonly decision: "undetermined"; readonly row: "unknown"; readonly reason: string }
  | { readonly decision: "refuse"; readonly row: "squatted"; readonly branch: string; readonly commit: string }
  /** Nothing is pushed. The pull request is null when only the branch exists. */
  | {
      readonly decision: "attach";
      readonly row: "person-commits" | "open-same-change";
      readonly pull_request: SeenPullRequest | null;
    }
  /** The branch keeps its name; `add_commit` when a person asked for the retry. */
  | {
      readonly decision: "adopt";
      readonly row: "open-same-task";
      readonly pull_request: SeenPullRequest;
      readonly add_commit: boolean;
    }
  | { readonly decision: "already-merged"; readonly row: "merged-in-base"; readonly pull_request: SeenPullRequest }
  | {
      readonly decision: "decline";
      readonly row: "merged-then-reverted" | "closed-by-person" | "taken-down";
      readonly pull_request: SeenPullRequest | null;
      /** Who decided, and their last comment, where that is known. */
      readonly who: string | null;
      readonly comment: string | null;
    }
  /** Our commit is on the remote already; only the pull request is missing. */
  | { readonly decision: "finish"; readonly row: "our-own-crash"; readonly commit: string }
  | {
      readonly decision: "open";
      readonly row: "merged-then-reverted" | "closed-by-person" | "closed-without-decision" | "nothing";
      /** The old pull request that the new one links. */
      readonly links: SeenPullRequest | null;
    };

type Row = (seen: Seen) => PublicationDecision | null;

/** The snapshot with what every row asks of it. */
interface Seen {
  readonly snapshot: PublicationSnapshot;
  /** Ours, with the same change digest. */
  readonly sameDigest: readonly SeenPullRequest[];
  /** Ours, with the same change digest or same-edit key. */
  readonly sameEdit: readonly SeenPullRequest[];
  /** Ours, open, of the same task. */
  readonly openOfTask: readonly SeenPullRequest[];
}

/** Decides from what was read; the first row that matches, and every snapshot matches one. */
export function decidePublication(snapshot: PublicationSnapshot): PublicationDecision {
  const seen = look(snapshot);
  for (const row of rows) {
    const decision = row(seen);
    if (decision !== null) return decision;
  }
  return { decision: "undetermined", row: "unknown", reason: "no row of the table fits what was read" };
}

/** Whether a pull request of ours carries this change: by its marker, or without one by its content-addressed branch. */
function look(snapshot: PublicationSnapshot): Seen {
  // Newest first, so that the order of the listing decides nothing.
  const all = snapshot.pull_requests === "error" ? [] : [...snapshot.pull_requests].sort((a, b) => b.number - a.number);
  const ours = all.filter((pull) => pull.author === snapshot.account);
  const carries = (pull: SeenPullRequest, list: "digests" | "keys", one: Digest): boolean =>
    pull.marker === null ? pull.head_branch === snapshot.branch : pull.marker[list].includes(one);
  const sameDigest = ours.filter((pull) => carries(pull, "digests", snapshot.change_digest));
  const sameEdit = ours.filter((pull) => sameDigest.includes(pull) || carries(pull, "keys", snapshot.same_edit_key));
  const openOfTask = ours.filter((pull) => pull.state === "open" && pull.marker?.task === snapshot.task);
  return { snapshot, sameDigest, sameEdit, openOfTask };
}

const unknown: Row = ({ snapshot, sameEdit }) => {
  const undetermined = (reason: string): PublicationDecision => ({ decision: "undetermined", row: "unknown", reason });
  if (snapshot.pull_requests === "error") return undetermined("the forge did not list its pull requests");
  if (snapshot.branch_state.kind === "unknown")
    return undetermined(`the branch could not be read: ${snapshot.branch_state.reason}`);
  if (sameEdit.some((pull) => pull.state === "open")) return null;
  const unsure = sameEdit.find((pull) =>
    pull.state === "merged" ? pull.still_in_base === null : pull.closed_by === null,
  );
  if (unsure === undefined) return null;
  return undetermined(
    `pull request ${unsure.number}: ${unsure.state === "merged" ? "whether it is still in base" : "who closed it"} is not known`,
  );
};

const squatted: Row = ({ snapshot: { branch, branch_state: state } }) =>
  state.kind === "present" && !state.ours
    ? { decision: "refuse", row: "squatted", branch, commit: state.commit }
    : null;

/** A settled pull request speaks for itself in a later row; a person's commits only forbid that we push or open over them. */
const personCommits: Row = ({ snapshot, sameDigest, sameEdit, openOfTask }) => {
  const open = [...sameEdit, ...openOfTask].filter((pull) => pull.state === "open");
  const touched = open.find((pull) => pull.person_commits);
  if (touched !== undefined) return { decision: "attach", row: "person-commits", pull_request: touched };
  const { branch_state: state } = snapshot;
  if (state.kind !== "present" || !state.person_commits) return null;
  const onBranch = open.find((pull) => pull.head_branch === snapshot.branch) ?? null;
  const settled =
    sameDigest.some((pull) => pull.state === "merged" && pull.still_in_base === true) ||
    sameEdit.some((pull) =>
      pull.state === "merged" ? pull.still_in_base === false : pull.closed_by?.kind === "person",
    );
  return onBranch === null && settled ? null : { decision: "attach", row: "person-commits", pull_request: onBranch };
};

const openSameChange: Row = ({ sameDigest, sameEdit }) => {
  const open = [...sameDigest, ...sameEdit].find((pull) => pull.state === "open");
  return open === undefined ? null : { decision: "attach", row: "open-same-change", pull_request: open };
};

const openSameTask: Row = ({ snapshot, openOfTask }) => {
  const open = openOfTask[0];
  return open === undefined
    ? null
    : { decision: "adopt", row: "open-same-task", pull_request: open, add_commit: snapshot.retry };
};

const mergedInBase: Row = ({ sameDigest }) => {
  const merged = sameDigest.find((pull) => pull.state === "merged" && pull.still_in_base === true);
  return merged === undefined ? null : { decision: "already-merged", row: "merged-in-base", pull_request: merged };
};

const mergedThenReverted: Row = ({ snapshot, sameEdit }) => {
  const row = "merged-then-reverted";
  const reverted = sameEdit.find((pull) => pull.state === "merged" && pull.still_in_base === false);
  if (reverted === undefined) return null;
  if (snapshot.authority === "operator") return openOver(snapshot, { row, links: reverted });
  return { decision: "decline", row, pull_request: reverted, who: null, comment: null };
};

const closedByPerson: Row = ({ snapshot, sameEdit }) => {
  const row = "closed-by-person";
  const closed = sameEdit.find((pull) => pull.state === "closed" && pull.closed_by?.kind === "person");
  if (closed === undefined) return null;
  if (snapshot.reopen) return openOver(snapshot, { row, links: closed });
  const { name, comment } = closed.closed_by ?? { name: null, comment: null };
  return { decision: "decline", row, pull_request: closed, who: name, comment };
};

const closedWithoutDecision: Row = ({ snapshot, sameEdit }) => {
  const closed = sameEdit.find((pull) => pull.state === "closed");
  return closed === undefined ? null : openOver(snapshot, { row: "closed-without-decision", links: closed });
};

/** Opens again, unless a person's commits lie on the branch: those were never judged, and nothing of them is ours to open. */
function openOver(
  snapshot: PublicationSnapshot,
  open: { row: "merged-then-reverted" | "closed-by-person" | "closed-without-decision"; links: SeenPullRequest },
): PublicationDecision {
  const { branch_state: state } = snapshot;
  if (state.kind === "present" && state.person_commits)
    return { decision: "attach", row: "person-commits", pull_request: null };
  return { decision: "open", ...open };
}

const ourOwnCrash: Row = ({ snapshot: { branch_state: state, intent_recorded: intent } }) =>
  state.kind === "present" && intent ? { decision: "finish", row: "our-own-crash", commit: state.commit } : null;

const takenDown: Row = ({ snapshot: { branch_state: state } }) =>
  state.kind === "present"
    ? { decision: "decline", row: "taken-down", pull_request: null, who: null, comment: null }
    : null;

/** No branch, and no pull request that decides about this edit. */
const nothing: Row = ({ snapshot: { branch_state: state } }) =>
  state.kind === "absent" ? { decision: "open", row: "nothing", links: null } : null;

const rows: readonly Row[] = [
  unknown,
  squatted,
  personCommits,
  openSameChange,
  openSameTask,
  mergedInBase,
  mergedThenReverted,
  closedByPerson,
  closedWithoutDecision,
  ourOwnCrash,
  takenDown,
  nothing,
];
