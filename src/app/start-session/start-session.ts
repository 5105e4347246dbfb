import type { AcceptanceContract } from "../../core/contract/index.ts";
import type { Digest } from "../../core/digest.ts";
import { TrueupError } from "../../errors.ts";
import type { Git, Session, SessionStore } from "../../ports/index.ts";
import { findBase, type FoundBase } from "../check/find-base.ts";
import { readPolicy } from "../gather/read-policy.ts";
import { recoverInterrupted, type RecoverPorts } from "../run-command-line/recover-interrupted.ts";

export interface PinnedContract {
  readonly contract: AcceptanceContract;
  readonly digest: Digest;
}

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
  /** Null: the standing contract of the base is used, if it has one. */
  readonly contract: PinnedContract | null;
  readonly parseStandingContract: (text: string) => PinnedContract;
  readonly signal?: AbortSignal;
}

export interface StartResult {
  readonly session: Session;
  readonly closed: Session | null;
  readonly contractSource: "given" | "standing" | "none";
}

/** Pins base, contract and policy outside the work tree. An open session of the tree ends: its services are stopped, its log is settled. */
export async function startSession(request: StartRequest, ports: StartPorts): Promise<StartResult> {
  const place = await ports.git.findWorkTree(request.directory);
  if (place === null) throw new TrueupError("not-a-repository", { subject: request.directory });
  if (place.shallow) throw new TrueupError("repository-shallow", { subject: place.root });
  const found = await findBase(ports.git, place, { ...request, target: { kind: "work-tree" } });
  const standing = request.contract ?? (await readStandingContract(request, found));
  const policy = await readPolicy(found.mirror, found.base);
  const entries = await found.mirror.listTree(found.base.tree);
  const before = await findReadable(ports.sessions, place.root);
  if (before !== null) await settleSession(ports.openSession(before));
  const session = await ports.sessions.start(
    {
      work_tree: place.root,
      base: { commit: found.base.commit, tree: found.base.tree, ref: found.ref, source: found.source },
      contract: standing?.contract ?? null,
      contract_digest: standing?.digest ?? null,
      policy: { failed_records: policy.failed_records ?? "retries" },
    },
    entries.map((entry) => entry.path),
  );
  const contractSource = request.contract !== null ? "given" : standing === null ? "none" : "standing";
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

async function readStandingContract(request: StartRequest, found: FoundBase): Promise<PinnedContract | null> {
  const text = await readBaseText(found, ".trueup/contract.json");
  return text === null ? null : request.parseStandingContract(text);
}

async function readBaseText({ mirror, base }: FoundBase, path: string): Promise<string | null> {
  const bytes = await mirror.readFile(base.tree, path);
  return bytes === null ? null : new TextDecoder().decode(bytes);
}
