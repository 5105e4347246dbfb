import { parseMarker } from "../../../core/publication/index.ts";
import type { PullRequest } from "../../../ports/index.ts";
import { runStep, type Delivery } from "../delivery.ts";

/** An open pull request of this task, and under which contract it was judged. */
export interface AdoptedPullRequest {
  readonly pull: PullRequest;
  readonly contract: "same" | "other" | "none";
}

/**
 * Asks the forge, before anything is spent, whether this task has an open pull request of ours already. An attempt whose
 * agent has worked goes on with that work instead: its publishing reads the forge again and knows its own pull request.
 */
export async function reconcile(delivery: Delivery): Promise<AdoptedPullRequest | null> {
  const { request, ports, attempt } = delivery;
  const { forge } = ports;
  return runStep(delivery, "reconcile", async () => {
    if (forge === null || attempt.checkpoint("capture") !== null) return null;
    const pulls = await forge.listPullRequests(`${request.branchPrefix}/`);
    const ours = pulls.filter((pull) => pull.state === "open" && pull.author === forge.account);
    for (const pull of ours) {
      const marker = parseMarker(pull.body);
      if (marker?.task === request.taskKey) return { pull, contract: compare(marker.contract, request.contractDigest) };
    }
    return null;
  });
}

function compare(published: string | null, now: string | null): AdoptedPullRequest["contract"] {
  if (published === null) return "none";
  return published === now ? "same" : "other";
}
