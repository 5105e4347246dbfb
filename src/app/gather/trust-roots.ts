import { matchesAny, trustRootByName, type AcceptanceContract } from "../../core/contract/index.ts";
import type { ChangeEntry, TrustRootFacts } from "../../core/facts/index.ts";

/** Decides which changed files steer the tests themselves. Those the contract does not open are put back as they are on base in every run tree. */
export function decideTrustRoots(
  entries: readonly ChangeEntry[],
  closure: readonly string[],
  contract: AcceptanceContract | null,
): TrustRootFacts {
  const reached = new Set(closure);
  const open = contract?.allow_protected ?? [];
  const changed = entries.flatMap((entry) => {
    const why =
      trustRootByName(entry.path) !== null ? ("name" as const) : reached.has(entry.path) ? ("closure" as const) : null;
    return why === null ? [] : [{ path: entry.path, why, restored: !matchesAny(open, entry.path) }];
  });
  return { changed, closure: [...closure] };
}
