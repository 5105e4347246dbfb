import type { GatePolicy } from "../../core/gate/index.ts";
import { applyPolicy } from "../../core/policy/index.ts";
import { TrueupError } from "../../errors.ts";
import type { CapturedTree, CommitRef, Git, Mirror, StepName, WorkTree } from "../../ports/index.ts";
import { joinContracts, readStandingContract, type NamedContract } from "../gather/contract-in-force.ts";
import { judge, writeArtifacts, type Judged, type Renderers, type WriteArtifact } from "../gather/evaluate-change.ts";
import { gatherFacts, type GatherPorts } from "../gather/gather-facts.ts";
import type { MutationBudget } from "../gather/measure-mutations.ts";
import { findBase, type FoundBase } from "./find-base.ts";

export interface CheckPorts extends GatherPorts {
  readonly git: Git;
  readonly renderers: Renderers;
}

/** What is judged: the work tree with untracked files, the index, or a commit. */
export type CheckTarget =
  { readonly kind: "work-tree" } | { readonly kind: "staged" } | { readonly kind: "commit"; readonly revision: string };

export interface CheckRequest {
  readonly directory: string;
  readonly target: CheckTarget;
  /** A repository without a work tree, as if it had one; only a commit can be judged there. */
  readonly place?: WorkTree;
  /** As given by `--base`, or null to find one. */
  readonly base: string | null;
  /** What pinned base and contract before the work began, for people; absent where either comes from files of now. */
  readonly pinnedBy?: string;
  /** Beside the standing contract of the base; null when only that holds. */
  readonly contract: NamedContract | null;
  /** True where the contract has the standing one in it. */
  readonly merged?: boolean;
  readonly policy: GatePolicy;
  readonly mutationBudget?: MutationBudget;
  readonly write: WriteArtifact;
  /** Directories of our own that may not lie in the work tree, as real paths: they would be judged with it. */
  readonly outside: readonly string[];
  readonly signal?: AbortSignal;
}

export interface CheckResult {
  readonly judged: Judged;
  readonly base: FoundBase;
}

/** Judges the caller's own change: the same facts and the same gate as a delivery, from a copy of the work tree. */
export async function checkWork(request: CheckRequest, ports: CheckPorts): Promise<CheckResult> {
  const place = request.place ?? (await ports.git.findWorkTree(request.directory));
  if (place === null) throw new TrueupError("not-a-repository", { subject: request.directory });
  refusePlacesInside(place.root, request.outside);
  if (place.shallow) throw new TrueupError("repository-shallow", { subject: place.root });
  const found = await step(ports, "clone", () => openBase(request, { ports, place }));
  const captured = await step(ports, "capture", () => capture(request, found.mirror, { place, base: found.base }));
  const contract = await contractOf(request, found);
  const judged = await step(ports, "verify", async () => {
    const gathered = await gatherFacts({
      ports,
      mirror: found.mirror,
      base: found.base,
      captured,
      contract: contract?.contract ?? null,
      contractDigest: contract?.digest ?? null,
      subject: {
        mode: "check",
        judged: judgedKind(request.target),
        base_pinned: request.pinnedBy !== undefined,
        base_ref: found.ref,
        base_source: found.source,
      },
      agent: null,
      claim: null,
      ...(request.mutationBudget === undefined ? {} : { mutationBudget: request.mutationBudget }),
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    });
    // Runs that were cut off look like failures; nothing is concluded from them.
    if (request.signal?.aborted === true) throw new TrueupError("interrupted");
    const result = judge(gathered.facts, contract?.contract ?? null, {
      contractDigest: contract?.digest ?? null,
      policy: applyPolicy(request.policy, gathered.policy, found.branch),
    });
    await writeArtifacts(result, gathered, { renderers: ports.renderers, write: request.write });
    return result;
  });
  return { judged, base: found };
}

async function openBase(
  request: CheckRequest,
  { ports, place }: { readonly ports: CheckPorts; readonly place: WorkTree },
): Promise<FoundBase> {
  const found = await findBase(ports.git, place, request);
  return request.pinnedBy === undefined ? found : { ...found, source: request.pinnedBy };
}

function refusePlacesInside(root: string, places: readonly string[]): void {
  const inside = places.find((place) => `${place}/`.startsWith(`${root}/`));
  if (inside !== undefined) throw new TrueupError("place-in-work-tree", { subject: inside });
}

function judgedKind(target: CheckTarget): "work-tree" | "staged" | "commit" {
  return target.kind;
}

async function capture(
  request: CheckRequest,
  mirror: Mirror,
  { place, base }: { place: WorkTree; base: CommitRef },
): Promise<CapturedTree> {
  const { target, signal } = request;
  if (target.kind === "staged") return mirror.captureIndex(place.root, base);
  if (target.kind === "commit") {
    const { tree } = await mirror.resolve(target.revision);
    return { tree, ignored: 0, hazards: [], undetermined: [] };
  }
  const { crlf, sparse } = place;
  return mirror.captureDirectory(place.root, base, { crlf, sparse, ...(signal === undefined ? {} : { signal }) });
}

/** What a session pinned has the standing contract in it already. */
async function contractOf(request: CheckRequest, { mirror, base }: FoundBase): Promise<NamedContract | null> {
  if (request.merged === true) return request.contract;
  return joinContracts(request.contract, await readStandingContract(mirror, base));
}

async function step<T>(ports: CheckPorts, name: StepName, act: () => Promise<T>): Promise<T> {
  ports.progress.report({ kind: "step", step: name, state: "start", detail: "" });
  try {
    const value = await act();
    ports.progress.report({ kind: "step", step: name, state: "done", detail: "" });
    return value;
  } catch (error) {
    ports.progress.report({
      kind: "step",
      step: name,
      state: "failed",
      detail: error instanceof TrueupError ? error.code : "",
    });
    throw error;
  }
}
