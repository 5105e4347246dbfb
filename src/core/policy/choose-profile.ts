import { matchesAny } from "../contract/index.ts";
import type { ProfileFacts, RequestFacts } from "../facts/index.ts";
import type { PolicyFile } from "./policy-schema.ts";

/** What decides a profile: who asked, by the forge's own word, and what was changed. */
export interface ProfileQuestion {
  /** Null where no forge says who asked: then nothing but the strict profile holds. */
  readonly author: RequestFacts["author"];
  readonly paths: readonly string[];
}

/** The first profile that matches; null where none does, which is judged as an agent's change. */
export function chooseProfile({ profiles = [] }: PolicyFile, { author, paths }: ProfileQuestion): ProfileFacts | null {
  for (const [index, one] of profiles.entries()) {
    if (author === null || author.kind !== one.author) continue;
    if (one.permission !== undefined && author.permission !== one.permission) continue;
    const { paths: only } = one;
    // An empty change has no path that could be outside.
    if (only !== undefined && (paths.length === 0 || !paths.every((path) => matchesAny(only, path)))) continue;
    const permission = one.permission === undefined ? "" : ` with ${one.permission} permission`;
    return { name: one.profile, because: `profiles[${index}]: a ${one.author}${permission}` };
  }
  return null;
}
