import { matchesAny } from "../../core/contract/index.ts";
import type { ChangeFacts, RuleFacts } from "../../core/facts/index.ts";
import { overrideDirectory } from "../../core/override/index.ts";
import { applyRules, type PolicyFile } from "../../core/policy/index.ts";
import type { Clock, Mirror } from "../../ports/index.ts";

/** A longer file is not looked at, in bytes: whoever wants a rule to pass it asks a person. */
const longestFile = 4 * 1024 * 1024;

/** Where a change breaks the rules of its base's policy; null when there are no rules. */
export async function gatherRules(
  mirror: Mirror,
  change: ChangeFacts,
  { policy, clock }: { readonly policy: PolicyFile; readonly clock: Clock },
): Promise<RuleFacts | null> {
  const { rules = [] } = policy;
  if (rules.length === 0) return null;
  const hits: RuleFacts["hits"][number][] = [];
  for (const { path, status, valid_utf8: named } of change.entries) {
    // A name that is no UTF-8 blocks elsewhere; what a person signed is not the change's own text.
    if (status === "deleted" || !named || path.startsWith(overrideDirectory)) continue;
    // Nothing is read for files that no rule is about.
    if (!rules.some(({ paths }) => matchesAny(paths, path))) continue;
    const head = await readText(mirror, change.tree, path);
    const base = await readText(mirror, change.base_tree, path);
    hits.push(...applyRules(rules, { path, base, head }));
  }
  return { judged_at: new Date(clock.now()).toISOString(), rules, hits };
}

/** Null for what is no text, is not there, or is too long. */
async function readText(mirror: Mirror, tree: string, path: string): Promise<string | null> {
  const bytes = await mirror.readFile(tree, path);
  if (bytes === null || bytes.length > longestFile) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
