import { isOverrideRow } from "../override-rows.ts";
import { block, type Rule } from "../rule.ts";

/** An empty change is an honest failure, whatever else holds. */
export const noChange: Rule = ({ facts }) => ({
  findings:
    facts.change.entries.every(isOverrideRow) || facts.change.tree === facts.change.base_tree
      ? [block("no-change", "", "the captured tree is the base tree")]
      : [],
});
