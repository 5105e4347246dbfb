import { matchesAny } from "../../contract/index.ts";
import type { Facts } from "../../facts/index.ts";
import { severityOfSteering } from "../profile.ts";
import { finding, type Rule } from "../rule.ts";

/**
 * Changed paths of the protected table block unless the contract opens them. Without a contract nothing is open; where CI
 * knows that a person with write permission asks, who could write one, they warn: so a first installation can be merged.
 */
export const protectedPath: Rule = ({ facts, contract }) => ({
  findings: facts.change.protected_changes
    .filter(({ path }) => !matchesAny(contract?.allow_protected ?? [], path))
    .map(({ path, reason: detail }) =>
      finding(contract === null && isWriter(facts) ? "warn" : severityOfSteering(facts), "protected-path", {
        subject: path,
        detail,
      }),
    ),
});

function isWriter({ request }: Facts): boolean {
  return request?.author?.kind === "person" && request.author.permission === "write";
}
