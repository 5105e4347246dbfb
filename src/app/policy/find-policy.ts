import type { PolicyFile } from "../../core/policy/index.ts";
import { TrueupError } from "../../errors.ts";
import type { Git } from "../../ports/index.ts";
import { findBase, type FoundBase } from "../check/find-base.ts";
import { readPolicy } from "../gather/read-policy.ts";

/** The policy that a change in this work tree would be judged by. */
export interface FoundPolicy {
  readonly base: FoundBase;
  readonly policy: PolicyFile;
}

/** Reads the policy of the base, found as `trueup check` finds it. Throws `not-a-repository` and `config-invalid`. */
export async function findPolicy(
  git: Git,
  request: { readonly directory: string; readonly base: string | null },
): Promise<FoundPolicy> {
  const place = await git.findWorkTree(request.directory);
  if (place === null) throw new TrueupError("not-a-repository", { subject: request.directory });
  if (place.shallow) throw new TrueupError("repository-shallow", { subject: place.root });
  const base = await findBase(git, place, { base: request.base, target: { kind: "work-tree" } });
  return { base, policy: await readPolicy(base.mirror, base.base) };
}
