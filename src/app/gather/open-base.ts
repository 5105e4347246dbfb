import { TrueupError } from "../../errors.ts";
import type { CommitRef, Git, Mirror, TreeReader } from "../../ports/index.ts";
import { openTreeReader } from "./tree-reader.ts";

/** The revision that a delivery would start from, readable. */
export interface OpenedBase {
  readonly mirror: Mirror;
  readonly base: CommitRef & { readonly ref: string };
  readonly reader: TreeReader;
}

/** Opens the mirror of a repository and resolves a revision of it; a `ref` of null is the remote's HEAD. Throws `base-not-found`. */
export async function openBase(
  git: Git,
  request: { readonly url: string; readonly ref: string | null; readonly signal?: AbortSignal },
): Promise<OpenedBase> {
  const { signal } = request;
  const { mirror, head } = await git.openMirror(request.url, signal === undefined ? {} : { signal });
  const ref = request.ref ?? head;
  if (ref === null)
    throw new TrueupError("base-not-found", {
      subject: "HEAD",
      detail: "the remote names no default branch",
      hint: "Name a revision with `--base REV`.",
    });
  const base = { ref, ...(await mirror.resolve(ref)) };
  return { mirror, base, reader: await openTreeReader(mirror, base.tree) };
}
