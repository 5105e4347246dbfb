import { matchesAny } from "../contract/index.ts";
import type { PolicyFile } from "./policy-schema.ts";

/** Whether warnings block a change to this branch (`main`, `release/2`); null is a branch that nobody knows, for which a list holds as a whole. */
export function isStrictFor({ strict = false }: PolicyFile, branch: string | null): boolean {
  if (typeof strict === "boolean") return strict;
  return branch === null ? strict.length > 0 : matchesAny(strict, branch);
}
