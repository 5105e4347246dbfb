import { z } from "zod";
import { admitLease } from "../../../core/task/index.ts";
import { digestOf, canonicalJson } from "../../../core/digest.ts";
import { TrueupError } from "../../../errors.ts";
import type { Attempt } from "../../../ports/index.ts";
import { readCheckpoint, type DeliverPorts, type DeliverRequest } from "../delivery.ts";

const saved = z.strictObject({
  contract_digest: z.string().nullable(),
  agent: z.string(),
  prompt_digest: z.string(),
  operator: z.string(),
});

/** Takes the task's lock and pins contract and agent; a resumed attempt whose contract drifted is refused. */
export async function lease(request: DeliverRequest, ports: DeliverPorts): Promise<Attempt> {
  refuseUnlessAdmitted(request);
  const attempt = await ports.attempts.open({ taskKey: request.taskKey, newAttempt: request.newAttempt });
  try {
    const pinned = readCheckpoint(attempt, "lease", saved);
    if (pinned === null) return await pin(request, attempt);
    if (pinned.contract_digest !== request.contractDigest)
      throw drifted(pinned.contract_digest, request.contractDigest);
    if (pinned.agent === agentOf(request)) {
      if (pinned.prompt_digest !== digestOf(request.prompt)) await sayRewritten(attempt, pinned, { request, ports });
      return attempt;
    }
  } catch (error) {
    await attempt.close();
    throw error;
  }
  await attempt.close();
  ports.progress.report({ kind: "note", step: "lease", text: "another agent than before: a new attempt" });
  return lease({ ...request, newAttempt: true }, ports);
}

function refuseUnlessAdmitted(request: DeliverRequest): void {
  const decision = admitLease(request.task);
  if (decision.outcome === "admitted") return;
  throw new TrueupError("authority-refused", { subject: request.task.title, detail: decision.reason });
}

async function pin(request: DeliverRequest, attempt: Attempt): Promise<Attempt> {
  if (request.contract !== null) await attempt.writeArtifact("contract.json", canonicalJson(request.contract));
  await attempt.save("lease", {
    contract_digest: request.contractDigest,
    agent: agentOf(request),
    prompt_digest: digestOf(request.prompt),
    operator: request.operator,
  });
  return attempt;
}

/**
 * Text around the contract may change, but never unseen: an agent that is still to work is given the new text, which is
 * pinned; work that was done by the old text is gone on with and says so.
 */
async function sayRewritten(
  attempt: Attempt,
  pinned: z.infer<typeof saved>,
  { request, ports }: { readonly request: DeliverRequest; readonly ports: DeliverPorts },
): Promise<void> {
  const worked = attempt.checkpoint("capture") !== null;
  const text = worked
    ? "the task's text has changed since the agent worked: its work by the old text is used; --new-attempt starts over with the new one"
    : "the task's text has changed since this attempt began: the agent is given the new text";
  if (!worked) await attempt.save("lease", { ...pinned, prompt_digest: digestOf(request.prompt) });
  ports.progress.report({ kind: "note", step: "lease", text });
}

function agentOf(request: DeliverRequest): string {
  return request.task.agent ?? "";
}

function drifted(pinned: string | null, now: string | null): TrueupError {
  return new TrueupError("contract-changed", { detail: `pinned ${pinned ?? "none"}, now ${now ?? "none"}` });
}
