import { block, type Rule } from "../rule.ts";

/** Entries that no contract can allow: each hazard blocks under its own code. */
export const hazard: Rule = ({ facts }) => ({
  findings: facts.change.hazards.map(({ kind, path, detail }) => block(`hazard-${kind}`, path, detail)),
});
