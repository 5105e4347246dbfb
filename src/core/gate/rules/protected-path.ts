import { matchesAny } from "../../contract/index.ts";
import { block, type Rule } from "../rule.ts";

/** Changed paths of the protected table block unless the contract opens them; without a contract nothing is open. */
export const protectedPath: Rule = ({ facts, contract }) => ({
  findings: facts.change.protected_changes
    .filter(({ path }) => !matchesAny(contract?.allow_protected ?? [], path))
    .map(({ path, reason }) => block("protected-path", path, reason)),
});
