import type { CleanState } from "../../core/handoff/index.ts";
import type { Verdict } from "../../core/gate/index.ts";
import { TrueupError } from "../../errors.ts";
import type { Git } from "../../ports/index.ts";

/** Whether the work tree of a directory is the tree that was judged, captured as `trueup check` captures it. */
export async function compareTree(
  git: Git,
  directory: string,
  verdict: Pick<Verdict, "base_commit" | "tree">,
): Promise<CleanState> {
  const place = await git.findWorkTree(directory);
  if (place === null) throw new TrueupError("not-a-repository", { subject: directory });
  if (place.shallow) throw new TrueupError("repository-shallow", { subject: place.root });
  const { mirror } = await git.openMirror(place.root, { also: [verdict.base_commit] });
  const base = await mirror.resolve(verdict.base_commit);
  const { tree } = await mirror.captureDirectory(place.root, base, { crlf: place.crlf, sparse: place.sparse });
  return tree === verdict.tree ? "clean" : "moved";
}
