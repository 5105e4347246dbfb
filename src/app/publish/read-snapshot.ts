import type { Digest } from "../../core/digest.ts";
import type { ChangeFacts } from "../../core/facts/index.ts";
import {
  branchName,
  parseMarker,
  parseTrailers,
  type BranchState,
  type PublicationSnapshot,
  type SeenPullRequest,
} from "../../core/publication/index.ts";
import { TrueupError } from "../../errors.ts";
import type { Forge, Mirror, PullRequest } from "../../ports/index.ts";

/** How many commits of people may lie on ours before we stop looking for ours. */
const depth = 100;

export interface SnapshotRequest {
  readonly mirror: Mirror;
  readonly url: string;
  readonly prefix: string;
  readonly baseBranch: string;
  readonly forge: Forge | null;
  readonly task: string;
  readonly change: ChangeFacts;
  readonly intentRecorded: boolean;
  readonly authority: "operator" | "other";
}

/** Reads everything the decision needs back from the remote and the forge; what did not answer is said, never left out. */
export async function readSnapshot(request: SnapshotRequest): Promise<PublicationSnapshot> {
  const branch = branchName(request.prefix, request.change.change_digest);
  const branchState = await readBranch(request, branch);
  return {
    task: request.task,
    change_digest: request.change.change_digest,
    same_edit_key: request.change.same_edit_key,
    branch,
    account: request.forge?.account ?? "",
    branch_state: branchState,
    intent_recorded: request.intentRecorded,
    pull_requests: await readPullRequests(request),
    authority: request.authority,
    retry: false,
    reopen: false,
  };
}

async function readBranch(request: SnapshotRequest, branch: string): Promise<BranchState> {
  try {
    const ref = `refs/heads/${branch}`;
    const [found] = (await request.mirror.listRemote(request.url, ref)).filter((one) => one.name === ref);
    if (found === undefined) return { kind: "absent" };
    const tip = await request.mirror.fetchRef(request.url, ref);
    return { kind: "present", commit: tip, ...(await whose(request.mirror, tip, request.change.change_digest)) };
  } catch (error) {
    if (error instanceof TrueupError && error.category !== "interrupted")
      return { kind: "unknown", reason: error.message };
    throw error;
  }
}

/** Ours is a commit whose trailer names this change and whose digest, computed again from its bytes, is the same. */
async function whose(mirror: Mirror, tip: string, digest: Digest): Promise<{ ours: boolean; person_commits: boolean }> {
  let at: string | undefined = tip;
  for (let step = 0; at !== undefined && step < depth; step++) {
    if (await isOurs(mirror, at, digest)) return { ours: true, person_commits: step > 0 };
    at = (await mirror.readCommit(at))?.parents[0];
  }
  return { ours: false, person_commits: false };
}

async function isOurs(mirror: Mirror, id: string, digest: Digest): Promise<boolean> {
  const commit = await mirror.readCommit(id);
  if (commit === null || commit.parents.length !== 1 || parseTrailers(commit.message)?.change_digest !== digest)
    return false;
  const parentId = commit.parents[0] as string;
  const parent = await mirror.readCommit(parentId);
  if (parent === null) return false;
  const captured = { tree: commit.tree, ignored: 0, hazards: [], undetermined: [] };
  const again = await mirror.changeFacts({ commit: parentId, tree: parent.tree }, captured, []);
  return again.change_digest === digest;
}

async function readPullRequests(request: SnapshotRequest): Promise<PublicationSnapshot["pull_requests"]> {
  if (request.forge === null) return [];
  try {
    const pulls = await request.forge.listPullRequests(`${request.prefix}/`);
    return await Promise.all(pulls.map((pull) => seen(request, pull)));
  } catch (error) {
    if (error instanceof TrueupError && error.category !== "interrupted") return "error";
    throw error;
  }
}

async function seen(request: SnapshotRequest, pull: PullRequest): Promise<SeenPullRequest> {
  const marker = parseMarker(pull.body);
  const carries =
    marker?.digests.includes(request.change.change_digest) === true ||
    marker?.keys.includes(request.change.same_edit_key) === true;
  return {
    number: pull.number,
    url: pull.url,
    head_branch: pull.head_branch,
    state: pull.state,
    author: pull.author,
    marker,
    closed_by: pull.closed_by,
    still_in_base: pull.state === "merged" && carries ? await stillInBase(request) : null,
    person_commits: false,
  };
}

/** Whether the base branch, as the remote has it now, holds the change: all of its blobs, or none; anything between is not known. */
async function stillInBase(request: SnapshotRequest): Promise<boolean | null> {
  const ref = `refs/heads/${request.baseBranch}`;
  const tip = await request.mirror.fetchRef(request.url, ref);
  const tree = (await request.mirror.readCommit(tip))?.tree;
  if (tree === undefined) return null;
  const now = new Map((await request.mirror.listTree(tree)).map((entry) => [entry.path, entry.id]));
  const absent = /^0+$/u;
  const holds = (path: string, id: string): boolean => (absent.test(id) ? !now.has(path) : now.get(path) === id);
  if (request.change.entries.every((entry) => holds(entry.path, entry.new_id))) return true;
  return request.change.entries.every((entry) => holds(entry.path, entry.old_id)) ? false : null;
}
