import { joinContracts, readStandingContract } from "../../gather/contract-in-force.ts";
import type { ClonedBase, Delivery } from "../delivery.ts";

/** From here on base's standing contract holds beside the task's own. What pins the task stays the task's. */
export async function bindContract(delivery: Delivery, { mirror, base }: ClonedBase): Promise<Delivery> {
  const { request } = delivery;
  const standing = await readStandingContract(mirror, base);
  if (standing === null) return delivery;
  const { contract, contractDigest: digest } = request;
  const joined = joinContracts(contract === null || digest === null ? null : { contract, digest }, standing);
  const bound = { contract: joined?.contract ?? null, contractDigest: joined?.digest ?? null, taskDigest: digest };
  return { ...delivery, request: { ...request, ...bound } };
}
