import { TrueupError } from "../../errors.ts";
import type { CommitRef, Git, Mirror, RemoteRef, WorkTree } from "../../ports/index.ts";
import type { CheckRequest } from "./check-work.ts";

/** What of a request decides its base. */
type BaseRequest = Pick<CheckRequest, "base" | "target" | "signal">;

/** The commit a change is judged against, and from where it came. */
export interface FoundBase {
  readonly mirror: Mirror;
  readonly base: CommitRef;
  readonly ref: string;
  /** The branch that the change is meant for, `main`; null when nobody says it. */
  readonly branch: string | null;
  /** For people: `--base`, `the merge base with origin/main`, `HEAD`. */
  readonly source: string;
}

/** `--base`, else the merge base with the upstream's default branch, else HEAD. Reads the repository only as a remote. */
export async function findBase(git: Git, place: WorkTree, request: BaseRequest): Promise<FoundBase> {
  const options = {
    also: place.head.id === null ? [] : [place.head.id],
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  };
  const { mirror } = await git.openMirror(place.root, options);
  const refs = await mirror.listRemote(place.root, "refs/");
  if (request.base !== null) return namedBase(git, { mirror, place, refs, name: request.base });
  const head = await headCommit(mirror, { place, refs, request });
  const upstream = defaultBranch(refs);
  if (upstream === null)
    return {
      mirror,
      base: head,
      ref: "HEAD",
      branch: branchName(place.head.ref),
      source: "HEAD, since no upstream branch is known",
    };
  const fork = await mirrorWith(git, place, upstream.id).then((full) => full.mergeBase(upstream.id, head.commit));
  if (fork === null)
    throw new TrueupError("base-not-found", {
      subject: upstream.name,
      detail: "it shares no history with HEAD",
      hint: "Name the base with `--base REV`.",
    });
  return {
    mirror,
    base: await mirror.resolve(fork),
    ref: fork,
    branch: branchName(upstream.name),
    source: `the merge base with ${shortName(upstream.name)}`,
  };
}

async function headCommit(
  mirror: Mirror,
  { place, refs, request }: { place: WorkTree; refs: readonly RemoteRef[]; request: BaseRequest },
): Promise<CommitRef> {
  if (request.target.kind === "commit") return mirror.resolve(request.target.revision);
  const { ref, id } = place.head;
  if (id !== null) return mirror.resolve(id);
  if (ref === null)
    throw new TrueupError("repository-invalid", {
      subject: place.root,
      detail: "its HEAD names neither a branch nor a commit",
      hint: "Run `git symbolic-ref HEAD refs/heads/BRANCH` with a branch that exists, or name the base with `--base REV`.",
    });
  const more = {
    detail: `HEAD names ${ref}, which has no commit`,
    hint: "Check out a branch that has one, or name the base with `--base REV`.",
  };
  throw new TrueupError("repository-empty", { subject: place.root, ...(refs.length === 0 ? {} : more) });
}

interface NamedBase {
  readonly mirror: Mirror;
  readonly place: WorkTree;
  readonly refs: readonly RemoteRef[];
  readonly name: string;
}

async function namedBase(git: Git, named: NamedBase): Promise<FoundBase> {
  const { mirror, place, refs, name } = named;
  const [, stem = name, back = ""] = /^(.*?)((?:[~^][0-9]*)*)$/su.exec(name) ?? [];
  const spellings = [stem, `refs/heads/${stem}`, `refs/tags/${stem}`, `refs/remotes/${stem}`];
  const found = refs.find((ref) => spellings.includes(ref.name));
  if (found !== undefined) await mirrorWith(git, place, found.id);
  const base = await mirror.resolve(found === undefined ? name : `${found.id}${back}`).catch((error: unknown) => {
    const unknown = error instanceof TrueupError && error.code === "base-not-found";
    throw unknown ? new TrueupError("base-not-found", { subject: name, cause: error }) : error;
  });
  return { mirror, base, ref: name, branch: branchName(found?.name ?? null), source: "--base" };
}

async function mirrorWith(git: Git, place: WorkTree, id: string): Promise<Mirror> {
  return (await git.openMirror(place.root, { also: [id] })).mirror;
}

/** The upstream's default branch as the repository last saw it, else a local one of the usual names. */
function defaultBranch(refs: readonly RemoteRef[]): RemoteRef | null {
  const wanted = [
    "refs/remotes/origin/HEAD",
    "refs/remotes/origin/main",
    "refs/remotes/origin/master",
    "refs/heads/main",
    "refs/heads/master",
  ];
  for (const name of wanted) {
    const found = refs.find((ref) => ref.name === name);
    if (found !== undefined) return found;
  }
  return null;
}

function branchName(ref: string | null): string | null {
  const [, name = null] = /^refs\/(?:heads|remotes\/[^/]+)\/(.+)$/u.exec(ref ?? "") ?? [];
  return name === "HEAD" ? null : name;
}

function shortName(ref: string): string {
  return ref.replace(/^refs\/(?:heads|remotes|tags)\//u, "");
}
