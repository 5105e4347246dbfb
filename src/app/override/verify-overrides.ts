import { decideOverrides, type DecidedOverrides } from "../../core/override/index.ts";
import { TrueupError } from "../../errors.ts";
import type { Clock, Git, Signatures } from "../../ports/index.ts";
import { findBase, type FoundBase } from "../check/find-base.ts";
import { joinContracts, readStandingContract, type NamedContract } from "../gather/contract-in-force.ts";
import { gatherOverrides } from "../gather/gather-overrides.ts";

export interface VerifyOverridesPorts {
  readonly git: Git;
  readonly signatures: Signatures;
  readonly clock: Clock;
}

export interface VerifyOverridesRequest {
  readonly directory: string;
  /** As given by `--base`, or null to find one. */
  readonly base: string | null;
  /** Beside the standing contract of the base; null when only that holds. */
  readonly contract: NamedContract | null;
}

export interface VerifiedOverrides {
  readonly base: FoundBase;
  /** Null when the change has no row. */
  readonly decided: DecidedOverrides | null;
}

/** Decides over the rows that the work tree adds, as the gate would; runs nothing of the repository. */
export async function verifyOverrides(
  request: VerifyOverridesRequest,
  ports: VerifyOverridesPorts,
): Promise<VerifiedOverrides> {
  const place = await ports.git.findWorkTree(request.directory);
  if (place === null) throw new TrueupError("not-a-repository", { subject: request.directory });
  if (place.shallow) throw new TrueupError("repository-shallow", { subject: place.root });
  const found = await findBase(ports.git, place, { base: request.base, target: { kind: "work-tree" } });
  const { mirror, base } = found;
  const captured = await mirror.captureDirectory(place.root, base, { crlf: place.crlf, sparse: place.sparse });
  const change = await mirror.changeFacts(base, captured, []);
  const facts = await gatherOverrides({ mirror, base, change }, ports);
  if (facts === null) return { base: found, decided: null };
  const contract = joinContracts(request.contract, await readStandingContract(mirror, base))?.digest ?? null;
  return { base: found, decided: decideOverrides(facts, contract) };
}
