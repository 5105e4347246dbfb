import { z } from "zod";
import type { PullRequest } from "../../ports/index.ts";
import { TrueupError } from "../../errors.ts";
import type { Judged } from "../gather/evaluate-change.ts";
import type { PublishedChange } from "../publish/publish-request.ts";
import {
  readCheckpoint,
  type Delivery,
  type DeliverPorts,
  type DeliverRequest,
  type DeliverResult,
  type DeliverStatus,
} from "./delivery.ts";
import { runAgent } from "./steps/agent.ts";
import { baseline } from "./steps/baseline.ts";
import { bindContract } from "./steps/bind-contract.ts";
import { cloneBase } from "./steps/clone.ts";
import { confirm } from "./steps/confirm.ts";
import { lease } from "./steps/lease.ts";
import { publish } from "./steps/publish.ts";
import { reconcile, type AdoptedPullRequest } from "./steps/reconcile.ts";
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
  proven: z.boolean(),
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
  const result = await deliverHeld({ request, ports, attempt }).catch(async (error: unknown) => {
    // The first error is the one to show; a lock left behind dies with this process.
    await attempt.close().catch(() => undefined);
    throw error;
  });
  await attempt.close();
  return result;
}

async function deliverHeld(delivery: Delivery): Promise<DeliverResult> {
  const kept = readCheckpoint(delivery.attempt, "confirm", endedSchema);
  if (kept !== null) return resultOf(delivery, kept, { judged: await judgedBefore(delivery), resumed: true });
  const adopted = await reconcile(delivery);
  if (adopted !== null) return resultOf(delivery, adoptedEnd(adopted), { judged: null, resumed: false });
  const cloned = await cloneBase(delivery);
  const bound = await bindContract(delivery, cloned);
  const judged = await measure(bound, cloned);
  const ended = await finish(bound, cloned, judged);
  if (isFinal(ended, judged)) await delivery.attempt.save("confirm", ended);
  return resultOf(delivery, ended, { judged, resumed: false });
}

/** What the remote or a reviewer may still change is decided anew by every run, from what is read then; the agent is not asked again. */
function isFinal(ended: Ended, judged: Judged): boolean {
  if (ended.status === "declined") return false;
  return ended.status !== "undetermined" || judged.verdict.outcome === "undetermined";
}

/** The verdict of an attempt that ended: an end without facts behind it is damage. */
async function judgedBefore(delivery: Delivery): Promise<Judged> {
  const judged = await judgeAgain(delivery);
  if (judged === null)
    throw new TrueupError("attempt-damaged", { subject: "the verify step", detail: "it is missing" });
  return judged;
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
  const nothing = { proven: false, branch: null, commit: null, pullRequest: null, confirmed: null };
  const { outcome } = judged.verdict;
  if (outcome === "blocked") return { status: "acceptance_failed", reason: null, ...nothing };
  if (outcome === "undetermined")
    return { status: "undetermined", reason: "not everything the contract asks could be measured", ...nothing };
  const published = await publish(delivery, cloned, judged);
  if ("reason" in published)
    return { status: published.kind, reason: published.reason, ...nothing, branch: published.branch };
  const confirmed = await confirm(delivery, cloned, published);
  return ended(published, { confirmed, passed: outcome === "passed" });
}

function ended(
  published: PublishedChange,
  more: { readonly confirmed: DeliverResult["confirmed"]; readonly passed: boolean },
): Ended {
  const { kind, branch, commit, pullRequest, otherChange } = published;
  const { confirmed } = more;
  return {
    status: kind,
    reason: otherChange ? "this task's open pull request holds another change, and was left as it is" : null,
    proven: more.passed && !otherChange,
    branch,
    commit,
    pullRequest,
    confirmed: confirmed === null ? null : { ...confirmed },
  };
}

/** Nothing was judged now: what was published then speaks for itself only under the same contract. */
function adoptedEnd({ pull, contract }: AdoptedPullRequest): Ended {
  const under = { same: "", other: ", judged under another contract", none: ", published without a contract" };
  return {
    status: "attached",
    reason: `this task has an open pull request${under[contract]}`,
    proven: contract === "same",
    branch: pull.head_branch,
    commit: null,
    pullRequest: pull,
    confirmed: null,
  };
}

function resultOf(delivery: Delivery, end: Ended, more: { judged: Judged | null; resumed: boolean }): DeliverResult {
  return { ...end, ...more, attemptId: delivery.attempt.id, outDirectory: delivery.attempt.outDirectory };
}
