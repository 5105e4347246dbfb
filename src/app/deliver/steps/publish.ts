import { publishChange } from "../../publish/publish-change.ts";
import type { PublishOutcome } from "../../publish/publish-request.ts";
import type { Judged } from "../../gather/evaluate-change.ts";
import { runStep, type ClonedBase, type Delivery } from "../delivery.ts";

/** Publishes the verified tree, if the remote and the forge say that nothing stands against it. */
export async function publish(delivery: Delivery, cloned: ClonedBase, judged: Judged): Promise<PublishOutcome> {
  const { request, ports, attempt } = delivery;
  return runStep(delivery, "publish", async () => {
    const outcome = await publishChange({
      mirror: cloned.mirror,
      base: cloned.base,
      url: request.url,
      prefix: request.branchPrefix,
      baseBranch: await baseBranch(delivery, cloned),
      forge: ports.forge,
      attempt,
      settledAttempts: await settledAttempts(delivery),
      renderers: ports.renderers,
      judged,
      contractDigest: request.taskDigest === undefined ? request.contractDigest : request.taskDigest,
      task: { id: request.taskKey, title: request.task.title },
      authority: request.task.authority === "operator" ? "operator" : "other",
      agentWords: judged.facts.claim?.text ?? "",
      date: request.task.created_at ?? Math.floor(attempt.createdAt / 1000),
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    });
    if (outcome.kind === "published") await attempt.save("publish", { branch: outcome.branch });
    return outcome;
  });
}

/** Attempts of this task that recorded the end of their publishing. */
async function settledAttempts({ request, ports }: Delivery): Promise<ReadonlySet<string>> {
  const known = await ports.attempts.findAttempts();
  return new Set(
    known.flatMap((one) =>
      one.state === "readable" && one.taskKey === request.taskKey && one.steps.includes("publish") ? [one.id] : [],
    ),
  );
}

/** The base as a branch of the remote; a task that names a commit or tag is for the remote's default branch. */
async function baseBranch(delivery: Delivery, cloned: ClonedBase): Promise<string> {
  const refs = await cloned.mirror.listRemote(delivery.request.url, "refs/heads/");
  const named = cloned.base.ref.replace(/^refs\/heads\//u, "");
  if (refs.some((ref) => ref.name === `refs/heads/${named}`)) return named;
  const { head } = await delivery.ports.git.openMirror(delivery.request.url);
  return head ?? named;
}
