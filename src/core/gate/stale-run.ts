import type { Facts, RunPurpose } from "../facts/index.ts";
import { block } from "./rule.ts";
import type { Finding } from "./verdict.ts";

/**
 * `stale-run` when the tree that ran is not the tree that is judged. Where trust roots were put back, the head tree has an
 * id of its own that only the gatherer can derive; then it must at least not be base, unless nothing else was changed.
 */
export function staleFindings(
  record: { readonly purpose: RunPurpose; readonly tree: string },
  subject: string,
  facts: Pick<Facts, "change" | "trust_roots">,
): readonly Finding[] {
  const { change, trust_roots: roots } = facts;
  // The partial runs have trees of their own, made of both sides.
  if (record.purpose !== "head" && record.purpose !== "base") return [];
  const restored = roots.changed.filter((root) => root.restored).length;
  if (record.purpose === "base") {
    return record.tree === change.base_tree ? [] : [stale(subject, record.tree, change.base_tree)];
  }
  if (restored === 0) return record.tree === change.tree ? [] : [stale(subject, record.tree, change.tree)];
  const ranBase = record.tree === change.base_tree && restored < change.entries.length;
  return ranBase || record.tree === "" ? [stale(subject, record.tree, change.tree)] : [];
}

function stale(subject: string, ran: string, judged: string): Finding {
  return block("stale-run", subject, `ran over tree ${ran.slice(0, 12)}, judged is ${judged.slice(0, 12)}`);
}
