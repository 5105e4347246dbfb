import { parseMarker } from "../../../core/publication/index.ts";
import type { PullRequest } from "../../../ports/index.ts";
import { runStep, type Delivery } from "../delivery.ts";

/** Asks the forge, before anything is spent, whether this task has an open pull request of ours already. */
export async function reconcile(delivery: Delivery): Promise<PullRequest | null> {
  const { request, ports } = delivery;
  const { forge } = ports;
  return runStep(delivery, "reconcile", async () => {
    if (forge === null) return null;
    const pulls = await forge.listPullRequests(`${request.branchPrefix}/`);
    const ours = pulls.filter((pull) => pull.state === "open" && pull.author === forge.account);
    return ours.find((pull) => parseMarker(pull.body)?.task === request.taskKey) ?? null;
  });
}
