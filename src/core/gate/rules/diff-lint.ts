import { finding, type Rule } from "../rule.ts";

/** At most this many places a rule are named; the rest is counted, so that no report drowns. */
const shownPerRule = 10;

/** `lint-*`: what the syntax tree of the change shows and a reviewer should look at. Warns, whatever else passes. */
export const diffLint: Rule = ({ facts }) => {
  const byRule = Map.groupBy(facts.lint ?? [], (one) => one.rule);
  return {
    findings: [...byRule].flatMap(([rule, hits]) => {
      const shown = hits
        .slice(0, shownPerRule)
        .map((one) => finding("warn", `lint-${rule}`, { subject: one.path, detail: `line ${one.line}: ${one.text}` }));
      const more = hits.length - shown.length;
      return more > 0
        ? [...shown, finding("warn", `lint-${rule}`, { subject: "", detail: `and ${more} more places` })]
        : shown;
    }),
  };
};
