import { z } from "zod";
import { TrueupError } from "../../../errors.ts";
import type { AgentFacts } from "../../../core/facts/index.ts";
import type { AgentResult, CapturedTree, Room } from "../../../ports/index.ts";
import type { PreparedBase } from "../../gather/prepare-tree.ts";
import { finishStep, readCheckpoint, runStep, type ClonedBase, type Delivery } from "../delivery.ts";

/** What the agent left: the captured tree, how it ended, and what it said. */
export interface AgentWork {
  readonly captured: CapturedTree;
  readonly facts: AgentFacts;
  readonly claim: string;
}

const capturedSchema = z.custom<CapturedTree>((value) => typeof (value as CapturedTree | null)?.tree === "string");
const factsSchema = z.custom<AgentFacts>((value) => typeof (value as AgentFacts | null)?.stop === "string");
const saved = z.strictObject({ captured: capturedSchema, facts: factsSchema, claim: z.string() });

/** Lets the agent work in its own room, then captures the tree it left after its last process is dead. */
export async function runAgent(
  delivery: Delivery,
  cloned: ClonedBase,
  prepared: PreparedBase | null,
): Promise<AgentWork> {
  const kept = readCheckpoint(delivery.attempt, "capture", saved);
  if (kept !== null) {
    delivery.ports.progress.report({
      kind: "step",
      step: "agent",
      state: "resumed",
      detail: "the captured change is kept",
    });
    return kept;
  }
  if (prepared === null) throw new TypeError("an agent needs a prepared base");
  const room = await delivery.ports.workspaces.open({
    mirror: cloned.mirror,
    baseTree: cloned.base.tree,
    tree: cloned.base.tree,
    mountPoints: prepared.installed.mountPoints,
  });
  try {
    const result = await runStep(delivery, "agent", () => work(delivery, room, prepared));
    // Only the user's own interruption makes work partial; an agent's word that it was cancelled is a fact like any other.
    if (delivery.request.signal?.aborted === true && result.facts.stop === "cancelled")
      await keepPartialWork(delivery, cloned, room);
    return await finishStep(delivery, "capture", () => capture(delivery, cloned, { room, result }));
  } finally {
    await room.close();
  }
}

async function work(delivery: Delivery, room: Room, prepared: PreparedBase): Promise<AgentResult> {
  const { request, ports, attempt } = delivery;
  const result = await ports.agent.run({
    prompt: request.prompt,
    room,
    sandbox: ports.sandbox,
    toolchain: prepared.toolchain,
    dependencies: prepared.installed,
    wall_ms: request.limits.agentWallMs,
    idle_ms: request.limits.agentIdleMs,
    ...(request.signal === undefined ? {} : { signal: request.signal }),
    onMessage: (text) => ports.progress.report({ kind: "output", step: "agent", text }),
  });
  await attempt.writeArtifact("transcript.txt", result.transcript);
  return result;
}

async function capture(
  delivery: Delivery,
  cloned: ClonedBase,
  left: { room: Room; result: AgentResult },
): Promise<AgentWork> {
  const captured = await cloned.mirror.captureDirectory(left.room.hostPath, cloned.base);
  const work = { captured, facts: left.result.facts, claim: left.result.claim };
  await delivery.attempt.save("capture", work);
  return work;
}

/** A stopped agent's work is kept for a person to look at, and never published. */
async function keepPartialWork(delivery: Delivery, cloned: ClonedBase, room: Room): Promise<never> {
  const captured = await cloned.mirror.captureDirectory(room.hostPath, cloned.base);
  await delivery.attempt.writeArtifact("partial.patch", await cloned.mirror.patch(cloned.base.tree, captured.tree));
  throw new TrueupError("interrupted", { detail: "the agent's partial work is kept as partial.patch" });
}
