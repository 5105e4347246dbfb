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

/**
 * Adds the changed files that only the head runs had as configuration: an unchanged configuration may look for its set-up
 * files by a pattern, and a new file then decides how tests run. They were in the tested tree, so they are not restored.
 */
export function withHeadRoots(
  found: TrustRootFacts,
  entries: readonly ChangeEntry[],
  head: { readonly roots: readonly string[]; readonly contract: AcceptanceContract | null },
): TrustRootFacts {
  const known = new Set(found.changed.map((one) => one.path));
  const late = decideTrustRoots(entries, head.roots, head.contract).changed.filter((one) => !known.has(one.path));
  return {
    changed: [...found.changed, ...late.map((one) => ({ ...one, restored: false }))],
    closure: [...new Set([...found.closure, ...head.roots])].sort(),
  };
}
