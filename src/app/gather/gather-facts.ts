import { expandProjects, type AcceptanceContract } from "../../core/contract/index.ts";
import type { Digest } from "../../core/digest.ts";
import { chooseProfile, type PolicyFile } from "../../core/policy/index.ts";
import type {
  AgentFacts,
  ChangeFacts,
  Claim,
  CommandFacts,
  Facts,
  GeneratedFacts,
  HeldOutFacts,
  ProfileFacts,
  QuarantineFacts,
  MutationFacts,
  RequestFacts,
  RunFacts,
  TrustRootFacts,
} from "../../core/facts/index.ts";
import type {
  Cache,
  CapturedTree,
  Clock,
  CommitRef,
  HeldOutStore,
  Ids,
  Mirror,
  Signatures,
} from "../../ports/index.ts";
import { gatherRules } from "./gather-rules.ts";
import { gatherOverrides } from "./gather-overrides.ts";
import { importClosure } from "./import-closure.ts";
import { lintChange } from "./lint-change.ts";
import { measureFurther, type FurtherRuns } from "./measure-further.ts";
import { measureBaseline, type Baseline } from "./measure-baseline.ts";
import { measureGenerated } from "./measure-generated.ts";
import { measureHead } from "./measure-head.ts";
import { measureHeldOut } from "./measure-held-out.ts";
import { measureMutations, type MutationBudget } from "./measure-mutations.ts";
import { type MeasurePorts, type MeasureRequest } from "./measure-tree.ts";
import { type PreparePorts, type PreparedBase, prepareTree, refuseMissingLockfiles } from "./prepare-tree.ts";
import { protectedChanges } from "./protected-changes.ts";
import { readPolicy } from "./read-policy.ts";
import { openTreeReader } from "./tree-reader.ts";
import { decideTrustRoots, withHeadRoots } from "./trust-roots.ts";

/** Every port that gathering needs. */
export interface GatherPorts extends MeasurePorts, PreparePorts {
  readonly cache: Cache;
  readonly heldOut: HeldOutStore;
  readonly signatures: Signatures;
  readonly clock: Clock;
  /** For what nothing in a change may guess. */
  readonly ids: Ids;
}

export interface GatherRequest {
  readonly ports: GatherPorts;
  readonly mirror: Mirror;
  readonly base: CommitRef;
  /** Where it is not the base itself: the commit whose signers and policy count. */
  readonly policyBase?: CommitRef;
  readonly captured: CapturedTree;
  readonly contract: AcceptanceContract | null;
  readonly contractDigest: Digest | null;
  readonly subject: Facts["subject"];
  /** Where CI asked: who, about what, and where the contract came from. */
  readonly request?: RequestFacts;
  readonly agent: AgentFacts | null;
  readonly claim: Claim | null;
  /** Given: each hunk of the change is undone on its own, to see whether a test notices. */
  readonly mutationBudget?: MutationBudget;
  readonly signal?: AbortSignal;
}

/** The facts, the exact patch, and the runs' own reports for people. */
export interface Gathered {
  readonly facts: Facts;
  /** What the base revision says, or the one whose policy counts. */
  readonly policy: PolicyFile;
  readonly patch: Uint8Array;
  readonly reports: readonly { readonly name: string; readonly bytes: Uint8Array }[];
}

/** The tests that base's policy puts up with, and the time of asking; null when there are none. */
function quarantineFacts({ quarantine: tests = [] }: PolicyFile, clock: Clock): QuarantineFacts | null {
  return tests.length === 0 ? null : { judged_at: new Date(clock.now()).toISOString(), tests };
}

/** Measures the untouched base under the contract, from the cache where it is there. */
export async function gatherBaseline(request: GatherRequest, prepared: PreparedBase): Promise<Baseline> {
  if (request.contract === null) return { runs: [], prepare: [], roots: [], demands: [] };
  const { contract } = expandProjects(request.contract, null);
  const on = { tree: request.base.tree, purpose: "base" } as const;
  const measure = { ...measureRequest(request, prepared, on), contract };
  return measureBaseline(measure, request.ports.cache, await request.ports.evidence.witnessDigest());
}

/** Produces the facts about one captured change: git facts, then base and head in the clean room. */
export async function gatherFacts(request: GatherRequest): Promise<Gathered> {
  const { mirror, base, captured } = request;
  const pairs = [...(request.contract?.file_contains ?? []), ...(request.contract?.file_excludes ?? [])];
  const change = await withProtected(mirror, await mirror.changeFacts(base, captured, pairs));
  const patch = await mirror.patch(base.tree, captured.tree);
  const contract = await affectedContract(request, change);
  const policyBase = request.policyBase ?? base;
  const policy = await readPolicy(mirror, policyBase);
  const quarantine = quarantineFacts(policy, request.ports.clock);
  const paths = change.entries.map((entry) => entry.path);
  const profile = chooseProfile(policy, { author: request.request?.author ?? null, paths });
  const measured =
    contract === null
      ? nothingMeasured(change)
      : await measureChange({ ...request, contract }, { change, patch, quarantine, profile }, contract);
  const lint = await lintChange(mirror, change);
  const overrides = await gatherOverrides({ mirror, base, policyBase, change }, request.ports);
  const rules = await gatherRules(mirror, change, { policy, clock: request.ports.clock });
  const { report } = await request.ports.sandbox.probe();
  const facts: Facts = {
    version: 1,
    subject: request.subject,
    ...(request.request === undefined ? {} : { request: request.request }),
    contract_digest: request.contractDigest,
    change,
    runs: measured.runs,
    commands: measured.commands,
    ...measured.further,
    ...(measured.heldOut.length === 0 ? {} : { held_out: measured.heldOut }),
    ...(measured.generated.length === 0 ? {} : { generated: measured.generated }),
    ...(lint.length === 0 ? {} : { lint }),
    ...(measured.mutations === null ? {} : { mutations: measured.mutations }),
    ...(overrides === null ? {} : { overrides }),
    ...(quarantine === null ? {} : { quarantine }),
    ...(rules === null ? {} : { rules }),
    ...(profile === null ? {} : { profile }),
    records: null,
    trust_roots: measured.trustRoots,
    dependencies: measured.dependencies,
    toolchain: measured.toolchain,
    isolation: report,
    agent: request.agent,
    claim: request.claim,
    undetermined: [],
  };
  return { facts, policy, patch, reports: measured.reports };
}

/** The contract with the projects that the change touches as entries of its own, as the gate reads it. */
async function affectedContract(
  { mirror, base, contract }: GatherRequest,
  change: ChangeFacts,
): Promise<AcceptanceContract | null> {
  if (contract === null) return null;
  refuseMissingLockfiles(await openTreeReader(mirror, base.tree), contract);
  const paths = change.entries.map((entry) => entry.path);
  return expandProjects(contract, paths).contract;
}

interface MeasuredChange {
  readonly runs: readonly RunFacts[];
  readonly commands: readonly CommandFacts[];
  readonly further: FurtherRuns;
  readonly heldOut: readonly HeldOutFacts[];
  readonly generated: readonly GeneratedFacts[];
  readonly mutations: MutationFacts | null;
  readonly trustRoots: TrustRootFacts;
  readonly dependencies: Facts["dependencies"];
  readonly toolchain: Facts["toolchain"];
  readonly reports: Gathered["reports"];
}

function nothingMeasured(change: ChangeFacts): MeasuredChange {
  const trustRoots = decideTrustRoots(change.entries, [], null);
  const nothing = {
    runs: [],
    commands: [],
    further: {},
    heldOut: [],
    generated: [],
    mutations: null,
    dependencies: [],
    toolchain: [],
    reports: [],
  };
  return { ...nothing, trustRoots };
}

async function measureChange(
  request: GatherRequest,
  known: {
    readonly change: ChangeFacts;
    readonly patch: Uint8Array;
    readonly quarantine: QuarantineFacts | null;
    readonly profile: ProfileFacts | null;
  },
  contract: AcceptanceContract,
): Promise<MeasuredChange> {
  const { change, patch, quarantine, profile } = known;
  const options = { contract, ...(request.signal === undefined ? {} : { signal: request.signal }) };
  const onBase = await prepareTree(request.ports, request.mirror, { tree: request.base.tree, ...options });
  try {
    const baseline = await gatherBaseline(request, onBase);
    const reader = await openTreeReader(request.mirror, request.base.tree);
    // A person's own configuration is what is tested; the report shows it.
    const opened = profile?.name === "person" ? { ...contract, allow_protected: ["**"] } : contract;
    const trustRoots = decideTrustRoots(change.entries, await importClosure(reader, baseline.roots), opened);
    const restored = trustRoots.changed.filter((one) => one.restored).map((one) => one.path);
    const tree = await request.mirror.restorePaths(change.tree, request.base.tree, restored);
    const onHead = await prepareTree(request.ports, request.mirror, { tree, ...options });
    try {
      const measure = { ...measureRequest(request, onHead, { tree, purpose: "head" }), contract };
      const head = await measureHead(measure, baseline.demands);
      const base = { ...measureRequest(request, onBase, { tree: request.base.tree, purpose: "base" }), contract };
      const runs = [...baseline.runs, ...head.runs];
      const sides = { base, head: measure, change, trustRoots, runs, demands: baseline.demands, quarantine, profile };
      const further = await measureFurther(sides, request.ports.ids);
      const heldOut = await gatherHeldOut(request, { onBase, head: measure });
      const generated = await measureGenerated(measure, change);
      const budget = request.mutationBudget;
      const mutations =
        budget === undefined ? null : await measureMutations(measure, { change, patch, runs: head.runs }, budget);
      return {
        runs,
        further,
        commands: [...baseline.prepare, ...head.commands],
        heldOut,
        generated,
        mutations,
        trustRoots: withHeadRoots(trustRoots, change.entries, { contract, roots: head.roots }),
        dependencies: onHead.installed.facts,
        toolchain: [
          ...onHead.toolchain.tools,
          { name: "witness", version: await request.ports.evidence.witnessDigest() },
        ],
        reports: head.reports,
      };
    } finally {
      await onHead.installed.release();
    }
  } finally {
    await onBase.installed.release();
  }
}

/** Over base too, since a held-out test that base already passes asks for nothing. */
async function gatherHeldOut(
  request: GatherRequest,
  on: { readonly onBase: PreparedBase; readonly head: MeasureRequest },
): Promise<readonly HeldOutFacts[]> {
  const { contract } = on.head;
  const base = measureRequest(request, on.onBase, { tree: request.base.tree, purpose: "base" });
  const { heldOut } = request.ports;
  return [...(await measureHeldOut({ ...base, contract }, heldOut)), ...(await measureHeldOut(on.head, heldOut))];
}

function measureRequest(
  request: GatherRequest,
  prepared: PreparedBase,
  on: { tree: string; purpose: "head" | "base" },
): Omit<MeasureRequest, "contract"> {
  const { ports, mirror, base, signal } = request;
  return { ports, mirror, base, ...on, ...prepared, ...(signal === undefined ? {} : { signal }) };
}

async function withProtected(mirror: Mirror, change: ChangeFacts): Promise<ChangeFacts> {
  return { ...change, protected_changes: await protectedChanges(mirror, change) };
}
