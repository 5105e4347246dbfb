import type { GatePolicy } from "../../core/gate/index.ts";
import type { Facts, RecordFacts } from "../../core/facts/index.ts";
import { parseClaim } from "../../core/gate/index.ts";
import { TrueupError } from "../../errors.ts";
import type {
  CapturedTree,
  Clock,
  Git,
  HookTrace,
  Mirror,
  RecordLog,
  Session,
  Signatures,
  TreeWatch,
} from "../../ports/index.ts";
import { judge, writeArtifacts, type Judged, type Renderers, type WriteArtifact } from "../gather/evaluate-change.ts";
import { gatherRules } from "../gather/gather-rules.ts";
import { gatherOverrides } from "../gather/gather-overrides.ts";
import { readPolicy } from "../gather/read-policy.ts";
import { protectedChanges } from "../gather/protected-changes.ts";
import { decideTrustRoots } from "../gather/trust-roots.ts";

/** The ports of a gate over a session: nothing here runs a command of the repository. */
export interface GateSessionPorts {
  readonly git: Git;
  readonly log: RecordLog;
  readonly watch: TreeWatch;
  readonly signatures: Signatures;
  readonly clock: Clock;
  readonly hooks: HookTrace;
  readonly renderers: Renderers;
}

export interface GateSessionRequest {
  readonly session: Session;
  readonly policy: GatePolicy;
  /** What the agent said of its work, for display and warnings only; null when nobody told. */
  readonly claim: string | null;
  /** Judges what is staged and not the work tree; `indexFile`: the index that git names to its hooks, null for its usual one. */
  readonly staged?: { readonly indexFile: string | null };
  readonly write: WriteArtifact;
}

/** Judges what `trueup run` recorded in a session, with scope and content of the work tree as they are now. */
export async function gateSession(request: GateSessionRequest, ports: GateSessionPorts): Promise<Judged> {
  const { session, policy } = request;
  const mirror = await ports.git.findMirror(session.work_tree);
  if (mirror === null)
    throw new TrueupError("mirror-broken", {
      subject: session.work_tree,
      detail: "the copy made by `trueup start` is gone",
      hint: "Run `trueup start` again.",
    });
  const captured = await capture(mirror, request);
  const { facts, patch } = await sessionFacts(request, ports, { mirror, captured });
  const failed = policy.failed_records ?? session.policy.failed_records;
  const judged = judge(facts, session.contract, {
    contractDigest: session.contract_digest,
    policy: { ...policy, failed_records: stricter(failed, session.policy.failed_records) },
  });
  await writeArtifacts(judged, { patch, reports: [] }, { renderers: ports.renderers, write: request.write });
  return judged;
}

async function capture(mirror: Mirror, { session, staged }: GateSessionRequest): Promise<CapturedTree> {
  if (staged === undefined) return mirror.captureDirectory(session.work_tree, session.base);
  return mirror.captureIndex(session.work_tree, session.base, staged.indexFile ?? undefined);
}

/** What the records can speak of: the files as they are. What is staged is that only where no file differs from it. */
async function judgedTree(
  { session, staged }: GateSessionRequest,
  ports: GateSessionPorts,
  { mirror, captured }: { readonly mirror: Mirror; readonly captured: CapturedTree },
): Promise<string | null> {
  if (staged === undefined) return ports.watch.fingerprint();
  const files = await mirror.captureDirectory(session.work_tree, session.base);
  return files.tree === captured.tree ? ports.watch.fingerprint() : null;
}

/** A caller may ask for more than the session's policy, never for less. */
function stricter(asked: "retries" | "any", pinned: "retries" | "any"): "retries" | "any" {
  return asked === "any" || pinned === "any" ? "any" : "retries";
}

async function sessionFacts(
  request: GateSessionRequest,
  ports: GateSessionPorts,
  taken: { readonly mirror: Mirror; readonly captured: CapturedTree },
): Promise<{ facts: Facts; patch: Uint8Array }> {
  const { session } = request;
  const { mirror, captured } = taken;
  const pairs = [...(session.contract?.file_contains ?? []), ...(session.contract?.file_excludes ?? [])];
  const change = await mirror.changeFacts(session.base, captured, pairs);
  const overrides = await gatherOverrides({ mirror, base: session.base, change }, ports);
  const policy = await readPolicy(mirror, session.base);
  const rules = await gatherRules(mirror, change, { policy, clock: ports.clock });
  const facts: Facts = {
    version: 1,
    subject: {
      mode: "records",
      judged: request.staged === undefined ? "work-tree" : "staged",
      base_pinned: true,
      base_ref: session.base.ref,
      base_source: session.base.source,
    },
    contract_digest: session.contract_digest,
    change: { ...change, protected_changes: await protectedChanges(mirror, change) },
    runs: [],
    commands: [],
    ...(overrides === null ? {} : { overrides }),
    ...(rules === null ? {} : { rules }),
    records: {
      session_id: session.id,
      judged_tree: await judgedTree(request, ports, taken),
      log: await ports.log.readAll(),
      ...(await hookFacts(ports.hooks)),
    },
    trust_roots: decideTrustRoots(change.entries, [], session.contract),
    dependencies: [],
    toolchain: [],
    isolation: null,
    agent: null,
    claim: request.claim === null ? null : parseClaim(request.claim),
    undetermined: [],
  };
  return { facts, patch: await mirror.patch(session.base.tree, captured.tree) };
}

async function hookFacts(trace: HookTrace): Promise<Pick<RecordFacts, "hooks">> {
  const notes = await trace.read();
  const clients = [...new Set(notes.flatMap((note) => (note.kind === "installed" ? [note.client] : [])))];
  const fired = new Set(notes.flatMap((note) => (note.kind === "fired" ? [note.client] : [])));
  return clients.length === 0 ? {} : { hooks: clients.map((client) => ({ client, fired: fired.has(client) })) };
}
