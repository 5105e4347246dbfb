import type { AcceptanceContract } from "../contract/index.ts";
import { contentFlaws } from "./content-flaws.ts";
import type { BaseView, ContractFlaw } from "./contract-flaw.ts";
import { pathFlaws } from "./path-flaws.ts";
import { scopeFlaws } from "./scope-flaws.ts";
import { testFlaws } from "./test-flaws.ts";

/** Whether a valid contract makes sense on a repository, as far as its files say: errors first, each group by key. */
export function lintContract(contract: AcceptanceContract, base: BaseView): readonly ContractFlaw[] {
  return sortFlaws([
    ...pathFlaws(contract, base),
    ...scopeFlaws(contract, base),
    ...contentFlaws(contract, base),
    ...testFlaws(contract, base),
  ]);
}

/** Errors before warnings, then by key and code, so that the same flaws always read the same. */
export function sortFlaws(flaws: readonly ContractFlaw[]): readonly ContractFlaw[] {
  const rank = (one: ContractFlaw): string => `${one.severity === "error" ? 0 : 1} ${one.key} ${one.code}`;
  return flaws.toSorted((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0));
}
