import {
  contractDigest,
  mergeContracts,
  parseContractJson,
  type AcceptanceContract,
} from "../../core/contract/index.ts";
import type { Digest } from "../../core/digest.ts";
import { TrueupError } from "../../errors.ts";
import type { CommitRef, Mirror } from "../../ports/index.ts";

/** A contract and the digest that names it. */
export interface NamedContract {
  readonly contract: AcceptanceContract;
  readonly digest: Digest;
}

/** Where a repository keeps what holds for every change. Only the copy of base counts. */
export const standingContractPath = ".trueup/contract.json";

/** The standing contract of a revision; null when it has none. Throws `contract-invalid`. */
export async function readStandingContract(mirror: Mirror, base: CommitRef): Promise<NamedContract | null> {
  const bytes = await mirror.readFile(base.tree, standingContractPath);
  if (bytes === null) return null;
  const parsed = parseContractJson(new TextDecoder("utf-8").decode(bytes));
  if (parsed.ok) return { contract: parsed.contract, digest: parsed.digest };
  const detail = parsed.issues.map(({ key, reason }) => `${key}: ${reason}`).join("; ");
  throw new TrueupError("contract-invalid", { subject: standingContractPath, detail });
}

/** What a change is judged by: the contract that was given, the standing one, or both as one. */
export function joinContracts(given: NamedContract | null, standing: NamedContract | null): NamedContract | null {
  if (given === null || standing === null) return given ?? standing;
  const contract = mergeContracts(given.contract, standing.contract);
  return { contract, digest: contractDigest(contract) };
}
