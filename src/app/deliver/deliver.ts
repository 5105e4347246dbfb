import { z } from "zod";
import type { PullRequest } from "../../ports/index.ts";
import type { Judged } from "../gather/evaluate-change.ts";
import type { PublishedChange } from "../publish/publish-change.ts";
import {
  type Delivery,
  type DeliverPorts,
  type DeliverRequest,
  type DeliverResult,
  type DeliverStatus,
} from "./delivery.ts";
import { runAgent } from "./steps/agent.ts";
import { baseline } from "./steps/baseline.ts";
import { cloneBase } from "./steps/clone.ts";
import { confirm } from "./steps/confirm.ts";
import { lease } from "./steps/lease.ts";
import { publish } from "./steps/publish.ts";
import { reconcile } from "./steps/reconcile.ts";
import { judgeAgain, verify } from "./steps/verify.ts";

const statuses = [
  "published",
  "attached",
  "already_merged",
  "declined",
  "acceptance_failed",
  "undetermined",
] as const satisfies readonly DeliverStatus[];
const endedSchema = z.strictObject({
  status: z.enum(statuses),
  reason: z.string().nullable(),
  branch: z.string().nullable(),
  commit: z.string().nullable(),
  pullRequest: z.custom<PullRequest>((value) => typeof (value as PullRequest | null)?.number === "number").nullable(),
  confirmed: z.strictObject({ branchAt: z.string().nullable(), pullRequestState: z.string().nullable() }).nullable(),
});
type Ended = z.infer<typeof endedSchema>;

/**
 * Runs one task from contract to published change. Every step is checkpointed; the same request again goes on where the
 * last one stopped, and publishes nothing twice. Throws `TrueupError` for what keeps a task from being judged at all.
 */
export async function deliver(request: DeliverRequest, ports: DeliverPorts): Promise<DeliverResult> {
  const attempt = await lease(request, ports);
  try {
    return await deliverHeld({ request, ports, attempt });
  } finally {
    await attempt.close();
  }
}

async function deliverHeld(delivery: Delivery): Promise<DeliverResult> {
  const kept = delivery.attempt.checkpoint("confirm");
  if (kept !== null)
    return resultOf(delivery, endedSchema.parse(kept), { judged: await judgeAgain(delivery), resumed: true });
  const adopted = await reconcile(delivery);
  if (adopted !== null) return resultOf(delivery, adoptedEnd(adopted), { judged: null, resumed: false });
  const cloned = await cloneBase(delivery);
  const judged = await measure(delivery, cloned);
  const ended = await finish(delivery, cloned, judged);
  if (ended.status !== "undetermined" || judged.verdict.outcome === "undetermined")
    await delivery.attempt.save("confirm", ended);
  return resultOf(delivery, ended, { judged, resumed: false });
}

/** Base, agent, capture and verdict; what an interrupted run had captured is not done again. */
async function measure(delivery: Delivery, cloned: Awaited<ReturnType<typeof cloneBase>>): Promise<Judged> {
  if (delivery.attempt.checkpoint("capture") !== null)
    return verify(delivery, cloned, await runAgent(delivery, cloned, null));
  const prepared = await baseline(delivery, cloned);
  try {
    return await verify(delivery, cloned, await runAgent(delivery, cloned, prepared));
  } finally {
    await prepared.installed.release();
  }
}

/** Only a passed verdict is published, and an operator's task without a contract, which then says so. */
async function finish(
  delivery: Delivery,
  cloned: Awaited<ReturnType<typeof cloneBase>>,
  judged: Judged,
): Promise<Ended> {
  const nothing = { branch: null, commit: null, pullRequest: null, confirmed: null };
  const { outcome } = judged.verdict;
  if (outcome === "blocked") return { status: "acceptance_failed", reason: null, ...nothing };
  if (outcome === "undetermined")
    return { status: "undetermined", reason: "not everything the contract asks could be measured", ...nothing };
  const published = await publish(delivery, cloned, judged);
  if ("reason" in published)
    return { status: published.kind, reason: published.reason, ...nothing, branch: published.branch };
  return ended(published, await confirm(delivery, cloned, published));
}

function ended(published: PublishedChange, confirmed: DeliverResult["confirmed"]): Ended {
  const { kind, branch, commit, pullRequest } = published;
  return {
    status: kind,
    reason: null,
    branch,
    commit,
    pullRequest,
    confirmed: confirmed === null ? null : { ...confirmed },
  };
}

function adoptedEnd(pull: PullRequest): Ended {
  return {
    status: "attached",
    reason: "this task has an open pull request",
    branch: pull.head_branch,
    commit: null,
    pullRequest: pull,
    confirmed: null,
  };
}

function resultOf(delivery: Delivery, end: Ended, more: { judged: Judged | null; resumed: boolean }): DeliverResult {
  return { ...end, ...more, attemptId: delivery.attempt.id, outDirectory: delivery.attempt.outDirectory };
}
