import type { PublishOutcome } from "../../publish/publish-request.ts";
import { runStep, type ClonedBase, type Delivery, type DeliverResult } from "../delivery.ts";

/** Reads the branch and the pull request back; only what was read is said. */
export async function confirm(
  delivery: Delivery,
  cloned: ClonedBase,
  outcome: PublishOutcome,
): Promise<DeliverResult["confirmed"]> {
  const { request, ports } = delivery;
  return runStep(delivery, "confirm", async () => {
    const ref = `refs/heads/${outcome.branch}`;
    const refs = await cloned.mirror.listRemote(request.url, ref);
    const pulls = ports.forge === null ? [] : await ports.forge.listPullRequests(outcome.branch);
    const pull = "pullRequest" in outcome ? pulls.find((one) => one.number === outcome.pullRequest?.number) : undefined;
    return { branchAt: refs.find((one) => one.name === ref)?.id ?? null, pullRequestState: pull?.state ?? null };
  });
}
