import { createMarker, renderMarker, type SeenPullRequest, type Trailers } from "../../core/publication/index.ts";
import { TrueupError } from "../../errors.ts";
import type { PullRequest } from "../../ports/index.ts";
import type { PublishedChange, PublishRequest } from "./publish-request.ts";

/** Opens the pull request of a pushed branch. A forge that failed and has one all the same is read again, not asked twice. */
export async function openPullRequestOf(
  request: PublishRequest,
  pushed: { readonly branch: string; readonly commit: string; readonly links: SeenPullRequest | null },
): Promise<PublishedChange | "read-again"> {
  const { branch, commit, links } = pushed;
  try {
    const pullRequest = await openPullRequest(request, branch, links);
    return { kind: "published", branch, commit, pullRequest, otherChange: false };
  } catch (error) {
    if (!(error instanceof TrueupError) || request.forge === null) throw error;
    const { account } = request.forge;
    const pulls = await request.forge.listPullRequests(branch);
    const open = pulls.some((one) => one.head_branch === branch && one.state === "open" && one.author === account);
    if (open) return "read-again";
    throw error;
  }
}

/** What commit and pull request both carry, so that each can be read back. */
export function trailersOf(request: PublishRequest): Trailers {
  const { contractDigest: contract } = request;
  const { change } = request.judged.facts;
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
