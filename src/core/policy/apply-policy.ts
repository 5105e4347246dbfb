import type { GatePolicy } from "../gate/index.ts";
import type { PolicyFile } from "./policy-schema.ts";
import { isStrictFor } from "./strict-branch.ts";

/** What a command asks for under a repository's policy: only the base lowers a grade, and everybody may be stricter. */
export function applyPolicy(asked: GatePolicy, file: PolicyFile, branch: string | null): GatePolicy {
  return {
    ...asked,
    minimum_grade: file.minimum_grade ?? asked.minimum_grade,
    strict: asked.strict || isStrictFor(file, branch),
  };
}
