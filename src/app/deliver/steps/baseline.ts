import type { TestCase } from "../../../core/facts/index.ts";
import { TrueupError } from "../../../errors.ts";
import { gatherBaseline, type GatherRequest } from "../../gather/gather-facts.ts";
import { prepareTree, type PreparedBase } from "../../gather/prepare-tree.ts";
import { runStep, stopIfInterrupted, type ClonedBase, type Delivery } from "../delivery.ts";

/** Resolves programs, installs dependencies and runs the contract on the untouched base, all before an agent costs anything. */
export async function baseline(delivery: Delivery, cloned: ClonedBase): Promise<PreparedBase> {
  const { request, ports } = delivery;
  const options = {
    tree: cloned.base.tree,
    contract: request.contract,
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  };
  const prepared = await runStep(delivery, "bootstrap", () => prepareTree(ports, cloned.mirror, options));
  try {
    await runStep(delivery, "baseline", () => measure(delivery, cloned, prepared));
    return prepared;
  } catch (error) {
    await prepared.installed.release();
    throw error;
  }
}

async function measure(delivery: Delivery, cloned: ClonedBase, prepared: PreparedBase): Promise<void> {
  const { request, ports } = delivery;
  const { runs } = await gatherBaseline(gatherRequest(delivery, cloned), prepared);
  // A run that was cut off says nothing of the base.
  stopIfInterrupted(request.signal);
  for (const run of runs) {
    const passed = run.cases.filter((one: TestCase) => one.state === "passed").length;
    const text = `base: ${run.declared_argv.join(" ")}: exit ${run.exit.code ?? run.exit.error ?? "unknown"}, ${passed} passed`;
    ports.progress.report({ kind: "note", step: "baseline", text });
    if (request.contract?.baseline === "green" && (run.exit.code !== 0 || run.faults.length > 0)) {
      throw new TrueupError("base-not-green", { subject: run.declared_argv.join(" "), detail: text });
    }
  }
}

/** The part of a gather request that is known before there is a change. */
function gatherRequest(delivery: Delivery, cloned: ClonedBase): GatherRequest {
  const { request, ports } = delivery;
  return {
    ports,
    mirror: cloned.mirror,
    base: cloned.base,
    captured: { tree: cloned.base.tree, ignored: 0, hazards: [], undetermined: [] },
    contract: request.contract,
    contractDigest: request.contractDigest,
    subject: {
      mode: "deliver",
      judged: "captured",
      base_pinned: true,
      base_ref: cloned.base.ref,
      base_source: "the task",
    },
    agent: null,
    claim: null,
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  };
}
