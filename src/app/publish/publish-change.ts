import {
  branchName,
  createMarker,
  commitMessage,
  decidePublication,
  renderMarker,
  type PublicationDecision,
  type PublicationSnapshot,
  type SeenPullRequest,
  type Trailers,
} from "../../core/publication/index.ts";
import { TrueupError } from "../../errors.ts";
import type { Attempt, CommitRef, Forge, Mirror, PullRequest } from "../../ports/index.ts";
import type { Judged, Renderers } from "../gather/evaluate-change.ts";
import { readSnapshot } from "./read-snapshot.ts";

/** A branch that appears between reading and pushing is read again this often. */
const rounds = 3;

export interface PublishRequest {
  readonly mirror: Mirror;
  readonly base: CommitRef;
  readonly url: string;
  readonly prefix: string;
  /** The branch the pull request is for. */
  readonly baseBranch: string;
  readonly forge: Forge | null;
  readonly attempt: Attempt;
  readonly renderers: Renderers;
  readonly judged: Judged;
  readonly task: { readonly id: string; readonly title: string };
  readonly authority: "operator" | "other";
  readonly agentWords: string;
  /** Commit date in seconds since the epoch. */
  readonly date: number;
}

/** A change that stands where others see it. */
export interface PublishedChange {
  readonly kind: "published" | "attached" | "already_merged";
  readonly branch: string;
  /** Null when it was there before. */
  readonly commit: string | null;
  readonly pullRequest: PullRequest | null;
}

/** What was published, or why nothing was. */
export type PublishOutcome =
  PublishedChange | { readonly kind: "declined" | "undetermined"; readonly branch: string; readonly reason: string };

/** Publishes a judged change: reads back, decides, and does the one thing decided. Only a passed or an operator's unchecked verdict may come here. */
export async function publishChange(request: PublishRequest): Promise<PublishOutcome> {
  if (request.attempt.unreadableAttempts.length > 0) {
    const branch = branchName(request.prefix, request.judged.facts.change.change_digest);
    return {
      kind: "undetermined",
      branch,
      reason: "an earlier attempt of this task cannot be read, so what it published is not known",
    };
  }
  for (let round = 0; round < rounds; round++) {
    const snapshot = await readNow(request);
    const outcome = await act(request, { snapshot, decision: decidePublication(snapshot) });
    if (outcome !== "read-again") return outcome;
  }
  throw new TrueupError("push-failed", { detail: "the branch kept changing while it was published" });
}

async function readNow(request: PublishRequest): Promise<PublicationSnapshot> {
  const { change } = request.judged.facts;
  return readSnapshot({
    ...request,
    task: request.task.id,
    change,
    intentRecorded: request.attempt.intents.some((intent) => intent.digest === change.change_digest),
  });
}

interface Decided {
  readonly snapshot: PublicationSnapshot;
  readonly decision: PublicationDecision;
}

async function act(request: PublishRequest, decided: Decided): Promise<PublishOutcome | "read-again"> {
  const { snapshot, decision } = decided;
  const { branch } = snapshot;
  switch (decision.decision) {
    case "undetermined":
      return { kind: "undetermined", branch, reason: decision.reason };
    case "refuse":
      return { kind: "declined", branch, reason: `the branch ${branch} exists and is not ours` };
    case "decline":
      return { kind: "declined", branch, reason: declineReason(decision) };
    case "already-merged":
      return {
        kind: "already_merged",
        branch,
        commit: null,
        pullRequest: await pullRequestOf(request.forge, decision.pull_request),
      };
    case "attach":
      return {
        kind: "attached",
        branch: decision.pull_request?.head_branch ?? branch,
        commit: null,
        pullRequest: await pullRequestOf(request.forge, decision.pull_request),
      };
    case "adopt":
      return {
        kind: "attached",
        branch: decision.pull_request.head_branch,
        commit: null,
        pullRequest: await pullRequestOf(request.forge, decision.pull_request),
      };
    case "finish":
      return {
        kind: "published",
        branch,
        commit: decision.commit,
        pullRequest: await openPullRequest(request, branch, null),
      };
    case "open":
      return open(request, decided, decision.links);
  }
}

function declineReason(decision: Extract<PublicationDecision, { decision: "decline" }>): string {
  const number = decision.pull_request === null ? "" : ` (pull request ${decision.pull_request.number})`;
  if (decision.row === "taken-down") return "the branch was published before and its pull request taken down";
  if (decision.row === "merged-then-reverted") return `the change was merged and reverted${number}`;
  const comment = decision.comment === null ? "" : `: ${decision.comment}`;
  return `${decision.who ?? "a reviewer"} closed it${number}${comment}`;
}

/** Commits, stores the intent, pushes, opens: in this order, so that a crash anywhere is told apart when it is read back. */
async function open(
  request: PublishRequest,
  decided: Decided,
  links: SeenPullRequest | null,
): Promise<PublishOutcome | "read-again"> {
  const { branch } = decided.snapshot;
  const { change } = request.judged.facts;
  const message = commitMessage({ title: request.task.title, trailers: trailersOf(request) });
  const commit = await request.mirror.commit({
    tree: change.tree,
    parent: request.base.commit,
    message,
    date: request.date,
  });
  await request.attempt.recordIntent({ branch, digest: change.change_digest });
  const pushed =
    decided.snapshot.branch_state.kind === "present"
      ? { outcome: "created" as const }
      : await request.mirror.pushNew(request.url, branch, commit);
  switch (pushed.outcome) {
    case "created":
      return { kind: "published", branch, commit, pullRequest: await openPullRequest(request, branch, links) };
    case "exists":
      return "read-again";
    case "rejected":
      throw new TrueupError("push-rejected", { subject: branch, detail: pushed.reason });
    case "transport":
      throw new TrueupError("push-failed", { subject: branch, detail: pushed.reason });
  }
}

function trailersOf(request: PublishRequest): Trailers {
  const { change, contract_digest: contract } = request.judged.facts;
  return { task: request.task.id, contract, change_digest: change.change_digest, same_edit: change.same_edit_key };
}

async function openPullRequest(
  request: PublishRequest,
  branch: string,
  links: SeenPullRequest | null,
): Promise<PullRequest | null> {
  if (request.forge === null) return null;
  const { contract, change_digest: digest, same_edit: key } = trailersOf(request);
  const marker = renderMarker(createMarker({ task: request.task.id, contract, digest, key }));
  const body = request.renderers.pullRequestBody(request.judged, {
    marker,
    agentWords: request.agentWords,
    links: links?.url ?? null,
  });
  return request.forge.openPullRequest({
    head_branch: branch,
    base_branch: request.baseBranch,
    title: request.renderers.pullRequestTitle(request.judged, request.task.title),
    body,
  });
}

async function pullRequestOf(forge: Forge | null, wanted: SeenPullRequest | null): Promise<PullRequest | null> {
  if (forge === null || wanted === null) return null;
  const pulls = await forge.listPullRequests(wanted.head_branch);
  return pulls.find((pull) => pull.number === wanted.number) ?? null;
}
