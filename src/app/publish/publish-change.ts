import {
  branchName,
  commitMessage,
  decidePublication,
  type PublicationDecision,
  type PublicationSnapshot,
  type SeenPullRequest,
} from "../../core/publication/index.ts";
import { TrueupError } from "../../errors.ts";
import type { Attempt, PullRequest } from "../../ports/index.ts";
import { openPullRequestOf, trailersOf } from "./open-pull-request.ts";
import type { PublishedChange, PublishOutcome, PublishRequest } from "./publish-request.ts";
import { readSnapshot } from "./read-snapshot.ts";

/** A branch that appears between reading and pushing is read again this often. */
const rounds = 3;

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
    if (request.signal?.aborted === true) throw new TrueupError("interrupted");
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
    intentRecorded: openIntents(request).length > 0,
  });
}

/** Intents for this change of attempts that never recorded how its publishing ended. */
function openIntents(request: PublishRequest): Attempt["intents"] {
  const { change_digest: digest } = request.judged.facts.change;
  return request.attempt.intents.filter(
    (intent) => intent.digest === digest && !request.settledAttempts.has(intent.attempt),
  );
}

interface Decided {
  readonly snapshot: PublicationSnapshot;
  readonly decision: PublicationDecision;
}

async function act(request: PublishRequest, decided: Decided): Promise<PublishOutcome | "read-again"> {
  const { snapshot, decision } = decided;
  const { branch, branch_state: state } = snapshot;
  // Without a forge there are no pull requests whose absence could say anything: our branch is all there is to publish.
  if (request.forge === null && state.kind === "present" && state.ours && decision.decision === "decline")
    return standing({ kind: "attached", branch, pullRequest: null });
  switch (decision.decision) {
    case "undetermined":
      return { kind: "undetermined", branch, reason: decision.reason };
    case "refuse":
      return { kind: "declined", branch, reason: `the branch ${branch} exists and is not ours` };
    case "decline":
      return { kind: "declined", branch, reason: declineReason(decision) };
    case "already-merged":
      return standing({ kind: "already_merged", branch, pullRequest: await pullRequestOf(request, decision) });
    case "attach":
      return attach(request, decided, decision.pull_request);
    case "adopt":
      return {
        ...standing({
          kind: "attached",
          branch: decision.pull_request.head_branch,
          pullRequest: await pullRequestOf(request, decision),
        }),
        otherChange: true,
      };
    case "finish":
      return openPullRequestOf(request, { branch, commit: decision.commit, links: null });
    case "open":
      return open(request, decided, decision.links);
  }
}

/** A change that was there before: nothing was pushed. */
function standing(found: Pick<PublishedChange, "kind" | "branch" | "pullRequest">): PublishedChange {
  return { ...found, commit: null, otherChange: false };
}

/** Attaches, unless the pull request is what this attempt itself opened before a crash: then that publishing ends here. */
async function attach(
  request: PublishRequest,
  { snapshot }: Decided,
  pull: SeenPullRequest | null,
): Promise<PublishedChange> {
  const { branch, branch_state: state, change_digest: digest } = snapshot;
  const intended = request.attempt.intents.some(
    (intent) => intent.digest === digest && intent.attempt === request.attempt.id,
  );
  const found = await pullRequestOf(request, { pull_request: pull });
  const own = intended && pull?.head_branch === branch && pull.marker?.task === request.task.id;
  if (own && state.kind === "present" && !state.person_commits)
    return { kind: "published", branch, commit: state.commit, pullRequest: found, otherChange: false };
  return standing({ kind: "attached", branch: pull?.head_branch ?? branch, pullRequest: found });
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
      return openPullRequestOf(request, { branch, commit, links });
    case "exists":
      return "read-again";
    case "rejected":
      if (await wasOvertaken(request, branch, pushed.reason)) return "read-again";
      throw new TrueupError("push-rejected", { subject: branch, detail: pushed.reason });
    case "transport":
      throw new TrueupError("push-failed", { subject: branch, detail: pushed.reason });
  }
}

/** A rejection because another push made the branch in the same moment is no refusal: what stands there is read and decided. */
async function wasOvertaken(request: PublishRequest, branch: string, reason: string): Promise<boolean> {
  const ref = `refs/heads/${branch}`;
  const there = (await request.mirror.listRemote(request.url, ref)).some((one) => one.name === ref);
  return there || /cannot lock ref/u.test(reason);
}

async function pullRequestOf(
  { forge }: PublishRequest,
  { pull_request: wanted }: { readonly pull_request: SeenPullRequest | null },
): Promise<PullRequest | null> {
  if (forge === null || wanted === null) return null;
  const pulls = await forge.listPullRequests(wanted.head_branch);
  return pulls.find((pull) => pull.number === wanted.number) ?? null;
}
