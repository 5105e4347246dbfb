import type { AcceptanceContract } from "../../core/contract/index.ts";
import { digestOf, type Digest } from "../../core/digest.ts";
import type { PushedTip } from "../../core/hooks/index.ts";
import { TrueupError } from "../../errors.ts";
import type { CommitRef, Mirror, WorkTree } from "../../ports/index.ts";
import { checkWork, type CheckPorts, type CheckRequest } from "../check/check-work.ts";
import { findBase } from "../check/find-base.ts";
import type { Judged, WriteArtifact } from "../gather/evaluate-change.ts";

interface Pinned {
  readonly contract: AcceptanceContract;
  readonly digest: Digest;
}

export interface PushRequest {
  /** Where the pushed commits come from; a bare repository that receives them stands as a work tree that has no files. */
  readonly place: WorkTree;
  /** Commits that a bare repository has received and not yet taken in: where they can be read, and under which ref. */
  readonly received: { readonly url: string; readonly refOf: (commit: string) => string } | null;
  /** What the session of this work tree has pinned; null without one. */
  readonly session: { readonly base: string; readonly pinned: Pinned | null } | null;
  readonly parseStandingContract: (text: string) => Pinned;
  /** Of this program: another one may judge otherwise. */
  readonly version: string;
  readonly write: (tip: PushedTip) => WriteArtifact;
  readonly outside: readonly string[];
  readonly signal?: AbortSignal;
}

/** How one pushed tip stands. */
export type TipResult =
  | { readonly kind: "judged"; readonly judged: Judged }
  /** This tree has passed before under this base and contract. */
  | { readonly kind: "known" }
  /** `old`: it holds nothing that its base does not. `no-base`, `no-contract`: there is nothing to judge it by. */
  | { readonly kind: "old" | "no-base" | "no-contract" };

/** Judges one pushed tip as `check` does, once for each tree, base and contract. */
export async function checkPushedTip(tip: PushedTip, request: PushRequest, ports: CheckPorts): Promise<TipResult> {
  // What is pushed into an empty repository comes before any contract there.
  if (request.received !== null && request.place.head.id === null) return { kind: "no-base" };
  const { mirror, head } = await openTip(tip, request, ports);
  const base = await baseOf(tip, request, { ports, mirror, head });
  if (base === null) return { kind: "no-base" };
  if (base.commit === head.commit || base.tree === head.tree) return { kind: "old" };
  const contract = request.session?.pinned ?? (await standing(mirror, request, base));
  if (contract === null) return { kind: "no-contract" };
  const { version } = request;
  const key = digestOf({ version, tree: head.tree, base: base.commit, contract: contract.digest });
  if ((await ports.cache.read("pushes", key)) === "passed") return { kind: "known" };
  const { judged } = await checkWork(checkRequest(tip, request, { base, head, contract }), ports);
  if (judged.verdict.outcome === "passed") await ports.cache.write("pushes", key, "passed");
  return { kind: "judged", judged };
}

async function openTip(
  tip: PushedTip,
  { place, received, signal }: PushRequest,
  { git }: CheckPorts,
): Promise<{ readonly mirror: Mirror; readonly head: CommitRef }> {
  const also = received === null ? [tip.commit] : [];
  const { mirror } = await git.openMirror(place.root, { also, ...(signal === undefined ? {} : { signal }) });
  if (received !== null) await mirror.fetchRef(received.url, received.refOf(tip.commit));
  return { mirror, head: await mirror.resolve(tip.commit) };
}

/** Where the tip left what counts as base; null when nothing does. */
async function baseOf(
  tip: PushedTip,
  request: PushRequest,
  { ports, mirror, head }: { readonly ports: CheckPorts; readonly mirror: Mirror; readonly head: CommitRef },
): Promise<CommitRef | null> {
  const { place, received, session } = request;
  const trunk = session?.base ?? (received === null ? null : place.head.id);
  if (trunk === null) {
    const target = { kind: "commit" as const, revision: tip.commit };
    const found = await findBase(ports.git, place, { base: null, target });
    return found.ref === "HEAD" ? null : found.base;
  }
  const fork = await mirror.mergeBase(trunk, head.commit);
  if (fork === null)
    throw new TrueupError("base-not-found", { subject: tip.ref, detail: `it shares no history with ${trunk}` });
  return mirror.resolve(fork);
}

/** The contract of the base; for what a repository receives that of its own HEAD, since a branch may be cut before it. */
async function standing(mirror: Mirror, request: PushRequest, base: CommitRef): Promise<Pinned | null> {
  const { received, place } = request;
  const { tree } = received === null || place.head.id === null ? base : await mirror.resolve(place.head.id);
  const bytes = await mirror.readFile(tree, ".trueup/contract.json");
  return bytes === null ? null : request.parseStandingContract(new TextDecoder().decode(bytes));
}

function checkRequest(
  tip: PushedTip,
  request: PushRequest,
  at: { readonly base: CommitRef; readonly head: CommitRef; readonly contract: Pinned },
): CheckRequest {
  return {
    directory: request.place.root,
    place: request.place,
    target: { kind: "commit", revision: at.head.commit },
    base: at.base.commit,
    contract: at.contract,
    merged: true,
    policy: { minimum_grade: "C", strict: false },
    write: request.write(tip),
    outside: request.outside,
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  };
}
