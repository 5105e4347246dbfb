import { z } from "zod";
import { contractDigest, parseContractJson, type AcceptanceContract } from "../../../core/contract/index.ts";
import { parseClaim, parseFacts, type GatePolicy } from "../../../core/gate/index.ts";
import { applyPolicy } from "../../../core/policy/index.ts";
import { canonicalJson, sha256 } from "../../../core/digest.ts";
import { TrueupError } from "../../../errors.ts";
import type { Facts } from "../../../core/facts/index.ts";
import { judge, writeArtifacts, type Judged } from "../../gather/evaluate-change.ts";
import { gatherFacts } from "../../gather/gather-facts.ts";
import {
  readCheckpoint,
  runStep,
  stopIfInterrupted,
  type ClonedBase,
  type Delivery,
  type DeliverRequest,
} from "../delivery.ts";
import type { AgentWork } from "./agent.ts";

const saved = z.strictObject({
  facts_digest: z.string(),
  outcome: z.string(),
  /** What base's policy made of the request; attempts of earlier versions have none. */
  policy: z.strictObject({ minimum_grade: z.enum(["A", "B", "C", "D"]), strict: z.boolean() }).exactOptional(),
});

/** Re-tests the captured tree in the clean room and lets the gate decide; the artifacts are stored whatever it says. */
export async function verify(delivery: Delivery, cloned: ClonedBase, work: AgentWork): Promise<Judged> {
  const { request, ports, attempt } = delivery;
  return runStep(delivery, "verify", async () => {
    const kept = await judgeAgain(delivery);
    if (kept !== null) return kept;
    const gathered = await gatherFacts({
      ports,
      mirror: cloned.mirror,
      base: cloned.base,
      captured: work.captured,
      contract: request.contract,
      contractDigest: request.contractDigest,
      subject: {
        mode: "deliver",
        judged: "captured",
        base_pinned: true,
        base_ref: cloned.base.ref,
        base_source: "the task",
      },
      agent: work.facts,
      claim: parseClaim(work.claim),
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    });
    // Runs that were cut off look like failures; nothing is concluded from them.
    stopIfInterrupted(request.signal);
    const { minimum_grade, strict } = applyPolicy(askedPolicy(request), gathered.policy, cloned.base.ref);
    const policy = { minimum_grade, strict };
    if (request.contract !== null) await attempt.writeArtifact("contract.json", canonicalJson(request.contract));
    const judged = judge(gathered.facts, request.contract, { contractDigest: request.contractDigest, policy });
    await writeArtifacts(judged, gathered, {
      renderers: ports.renderers,
      write: (name, content) => attempt.writeArtifact(name, content),
    });
    const facts_digest = sha256(canonicalJson(judged.facts));
    await attempt.save("verify", { facts_digest, outcome: judged.verdict.outcome, policy });
    return judged;
  });
}

function askedPolicy(request: DeliverRequest): GatePolicy {
  const minimum = request.task.authority === "auto_safe" ? ("B" as const) : ("C" as const);
  return { minimum_grade: minimum, strict: request.strict };
}

/** The verdict over facts that an earlier run stored, or null when there are none: the gate is pure, so it is the same. */
export async function judgeAgain(delivery: Delivery): Promise<Judged | null> {
  const kept = await keptFacts(delivery);
  const { request } = delivery;
  if (kept === null) return null;
  const policy = readCheckpoint(delivery.attempt, "verify", saved)?.policy ?? askedPolicy(request);
  const contract = await keptContract(delivery);
  return judge(kept, contract, { contractDigest: contract === null ? null : contractDigest(contract), policy });
}

/** The contract that was judged by: the task's, with base's standing one where there was one. The facts name its digest. */
async function keptContract({ attempt }: Delivery): Promise<AcceptanceContract | null> {
  const bytes = await attempt.readArtifact("contract.json");
  if (bytes === null) return null;
  const parsed = parseContractJson(new TextDecoder().decode(bytes));
  if (parsed.ok) return parsed.contract;
  throw new TrueupError("attempt-damaged", { subject: "contract.json", detail: parsed.issues[0]?.reason ?? "" });
}

/** The facts of an earlier run of this step, if they are still exactly what was saved. */
async function keptFacts(delivery: Delivery): Promise<Facts | null> {
  const kept = readCheckpoint(delivery.attempt, "verify", saved);
  if (kept === null) return null;
  const bytes = await delivery.attempt.readArtifact("facts.json");
  if (bytes === null || sha256(bytes) !== kept.facts_digest)
    throw new TrueupError("attempt-damaged", { subject: "facts.json" });
  const parsed = parseFacts(new TextDecoder().decode(bytes));
  if (parsed.ok) return parsed.facts;
  throw new TrueupError("attempt-damaged", { subject: "facts.json", detail: parsed.issues[0] ?? "" });
}
