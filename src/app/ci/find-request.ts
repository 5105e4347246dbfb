import type { CiEvent } from "../../core/ci/index.ts";
import { TrueupError } from "../../errors.ts";
import type { CommitRef, Git, Mirror, RemoteRef, WorkTree } from "../../ports/index.ts";

/** What is asked: an event, or the revisions that a CI without one names. */
export type Asked =
  | CiEvent
  | {
      readonly kind: "revision";
      /** The branch that the change is to go into, as a revision. */
      readonly base: string;
      /** The commit that must be checked out; null: whatever is. */
      readonly head: string | null;
      readonly author: "person" | "bot" | "unknown";
    };

/** The commits of one request, all present in the mirror. */
export interface FoundRequest {
  readonly mirror: Mirror;
  /** Checked out, and judged. */
  readonly head: CommitRef;
  /** The change is head against this. */
  readonly base: CommitRef;
  /** The tip of the base branch, whose standing contract and policy count: no branch can be cut before them. */
  readonly policyBase: CommitRef;
  readonly source: string;
}

/**
 * Finds the commits of a request in the checkout. Throws `head-moved` when that is neither the head that was asked about nor
 * its merge into the base, `base-not-found` when the base is not there.
 */
export async function findRequest(
  git: Git,
  place: WorkTree,
  options: { readonly asked: Asked; readonly mergeCommit: string | null; readonly signal?: AbortSignal },
): Promise<FoundRequest> {
  const { asked, signal } = options;
  const checkedOut = place.head.id;
  if (checkedOut === null) throw new TrueupError("repository-empty", { subject: place.root });
  const open = async (also: readonly string[]): Promise<Mirror> =>
    (await git.openMirror(place.root, { also, ...(signal === undefined ? {} : { signal }) })).mirror;
  if (asked.kind === "revision") return findRevision(await open([checkedOut]), { place, asked, checkedOut, open });
  const mirror = await open([checkedOut, asked.base]).catch((error: unknown) => {
    const absent = error instanceof TrueupError && error.code === "base-not-found";
    throw absent ? notFetched(asked.base, error) : error;
  });
  if (asked.kind === "merge-group") return findMergeGroup(mirror, asked, checkedOut);
  if (checkedOut === asked.head) return findHead(mirror, { head: asked.head, tip: asked.base });
  return findMerge(mirror, { asked, checkedOut, mergeCommit: options.mergeCommit });
}

function notFetched(base: string, cause: unknown): TrueupError {
  const hint = "Check out with the whole history: `fetch-depth: 0`, or `GIT_DEPTH: 0`.";
  return new TrueupError("base-not-found", { subject: base, detail: "the checkout does not hold it", hint, cause });
}

/** The head itself, against where it left the base. */
async function findHead(mirror: Mirror, at: { readonly head: string; readonly tip: string }): Promise<FoundRequest> {
  const fork = await mirror.mergeBase(at.tip, at.head);
  if (fork === null)
    throw new TrueupError("base-not-found", { subject: at.tip, detail: "it shares no history with HEAD" });
  return {
    mirror,
    head: await mirror.resolve(at.head),
    base: await mirror.resolve(fork),
    policyBase: await mirror.resolve(at.tip),
    source: "the merge base with the base branch",
  };
}

/** The result of the merge, as the forge made it: its first parent is the base, its second the head that was asked about. */
async function findMerge(
  mirror: Mirror,
  {
    asked,
    checkedOut,
    mergeCommit,
  }: {
    readonly asked: Extract<CiEvent, { kind: "pull-request" }>;
    readonly checkedOut: string;
    readonly mergeCommit: string | null;
  },
): Promise<FoundRequest> {
  const [tip, head, ...more] = (await mirror.readCommit(checkedOut))?.parents ?? [];
  const isMerge = checkedOut === mergeCommit && tip !== undefined && head === asked.head && more.length === 0;
  if (!isMerge || (await mirror.mergeBase(asked.base, tip)) !== asked.base)
    throw new TrueupError("head-moved", { subject: checkedOut, detail: `asked about ${asked.head}` });
  return {
    mirror,
    head: await mirror.resolve(checkedOut),
    base: await mirror.resolve(tip),
    policyBase: await mirror.resolve(tip),
    source: "the base of the merge",
  };
}

/** The whole group, as it will stand on the base. */
async function findMergeGroup(
  mirror: Mirror,
  asked: Extract<CiEvent, { kind: "merge-group" }>,
  checkedOut: string,
): Promise<FoundRequest> {
  if (checkedOut !== asked.head)
    throw new TrueupError("head-moved", { subject: checkedOut, detail: `asked about ${asked.head}` });
  if ((await mirror.mergeBase(asked.base, asked.head)) !== asked.base)
    throw new TrueupError("head-moved", { subject: asked.head, detail: `it does not stand on ${asked.base}` });
  const base = await mirror.resolve(asked.base);
  return {
    mirror,
    head: await mirror.resolve(asked.head),
    base,
    policyBase: base,
    source: "the base of the merge group",
  };
}

async function findRevision(
  mirror: Mirror,
  {
    place,
    asked,
    checkedOut,
    open,
  }: {
    readonly place: WorkTree;
    readonly asked: Extract<Asked, { kind: "revision" }>;
    readonly checkedOut: string;
    readonly open: (also: readonly string[]) => Promise<Mirror>;
  },
): Promise<FoundRequest> {
  if (asked.head !== null && asked.head !== checkedOut)
    throw new TrueupError("head-moved", { subject: checkedOut, detail: `asked about ${asked.head}` });
  const named = namedRef(await mirror.listRemote(place.root, "refs/"), asked.base);
  const id = named?.id ?? asked.base;
  const full = /^[0-9a-f]{40,64}$/u.test(id);
  const tip = (await (full ? open([checkedOut, id]) : mirror.resolve(id).then(() => mirror))).resolve(id);
  return findHead(mirror, { head: checkedOut, tip: (await tip).commit });
}

function namedRef(refs: readonly RemoteRef[], name: string): RemoteRef | undefined {
  // What the remote had when it was checked out comes before a local branch that a step may have moved.
  const spellings = [`refs/remotes/${name}`, `refs/remotes/origin/${name}`, name, `refs/heads/${name}`];
  return spellings.map((spelling) => refs.find((ref) => ref.name === spelling)).find((ref) => ref !== undefined);
}
