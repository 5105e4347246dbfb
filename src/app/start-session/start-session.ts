import { TrueupError } from "../../errors.ts";
import type { Git, Session, SessionStore } from "../../ports/index.ts";
import { findBase } from "../check/find-base.ts";
import { joinContracts, readStandingContract, type NamedContract } from "../gather/contract-in-force.ts";
import { readPolicy } from "../gather/read-policy.ts";
import { recoverInterrupted, type RecoverPorts } from "../run-command-line/recover-interrupted.ts";

export interface StartPorts {
  readonly git: Git;
  readonly sessions: SessionStore;
  /** The ports of the session that a new one closes. */
  readonly openSession: (session: Session) => RecoverPorts;
}

export interface StartRequest {
  readonly directory: string;
  /** As given by `--base` or the task; null to find one. */
  readonly base: string | null;
  /** Beside the standing contract of the base; null when only that holds. */
  readonly contract: NamedContract | null;
  readonly signal?: AbortSignal;
}

export interface StartResult {
  readonly session: Session;
  readonly closed: Session | null;
  readonly contractSource: "given" | "given-and-standing" | "standing" | "none";
}

/** Pins base, contract and policy outside the work tree. An open session of the tree ends: its services are stopped, its log is settled. */
export async function startSession(request: StartRequest, ports: StartPorts): Promise<StartResult> {
  const place = await ports.git.findWorkTree(request.directory);
  if (place === null) throw new TrueupError("not-a-repository", { subject: request.directory });
  if (place.shallow) throw new TrueupError("repository-shallow", { subject: place.root });
  const found = await findBase(ports.git, place, { ...request, target: { kind: "work-tree" } });
  const standing = await readStandingContract(found.mirror, found.base);
  const joined = joinContracts(request.contract, standing);
  const policy = await readPolicy(found.mirror, found.base);
  const entries = await found.mirror.listTree(found.base.tree);
  const before = await findReadable(ports.sessions, place.root);
  if (before !== null) await settleSession(ports.openSession(before));
  const session = await ports.sessions.start(
    {
      work_tree: place.root,
      base: { commit: found.base.commit, tree: found.base.tree, ref: found.ref, source: found.source },
      contract: joined?.contract ?? null,
      contract_digest: joined?.digest ?? null,
      policy: { failed_records: policy.failed_records ?? "retries" },
    },
    entries.map((entry) => entry.path),
  );
  const source = request.contract === null ? "standing" : standing === null ? "given" : "given-and-standing";
  const contractSource = joined === null ? "none" : source;
  return { session, closed: before, contractSource };
}

/** The open session; null when it is too damaged to be read, which a new one mends. */
async function findReadable(sessions: SessionStore, directory: string): Promise<Session | null> {
  try {
    return await sessions.find(directory);
  } catch (error) {
    if (error instanceof TrueupError && error.code === "session-damaged") return null;
    throw error;
  }
}

/** Ends what a session still runs in the background, and gives each command its record. */
export async function settleSession(ports: RecoverPorts): Promise<void> {
  for (const { draft } of await ports.started.running())
    if (draft.role === "service" && (await ports.started.stop(draft.command_id)) === "still-running")
      throw new TrueupError("service-stuck", { subject: draft.command_id });
  await recoverInterrupted(ports);
}
