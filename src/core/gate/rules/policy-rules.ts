import type { PolicyRule, RuleFacts, RuleHit } from "../../facts/index.ts";
import { finding, type Rule } from "../rule.ts";
import type { Finding } from "../verdict.ts";

/** The rules of base's policy, each by its severity until its last day. A file that was not looked at keeps none. */
export const policyRules: Rule = ({ facts: { rules } }) => {
  if (rules === undefined) return { findings: [] };
  const inForce = rules.rules.filter((rule) => !isOver(rules, rule));
  const named = new Map(inForce.map((rule) => [rule.name, rule]));
  return {
    findings: [
      ...rules.hits.flatMap((hit) => {
        const rule = named.get(hit.rule);
        return rule === undefined ? [] : [hitFinding(rule, hit)];
      }),
      ...rules.rules
        .filter((rule) => isOver(rules, rule))
        .map(({ name, until = "" }) => finding("info", "rule-ended", { subject: name, detail: `ended on ${until}` })),
    ],
  };
};

function hitFinding({ name, category, severity, reason }: PolicyRule, { path, kind, line }: RuleHit): Finding {
  const subject = `${name}: ${path}`;
  if (kind === "not-looked")
    return finding(severity === "block" ? "undetermined" : "warn", "rule-not-looked", { subject, detail: category });
  const place = line === null ? "" : `line ${line}, `;
  return finding(severity, "rule-broken", { subject, detail: `${place}${category}: ${reason}` });
}

/** A time that is none ends nothing: the rule holds on. */
function isOver({ judged_at: at }: RuleFacts, { until }: PolicyRule): boolean {
  const today = at.slice(0, 10);
  return until !== undefined && /^\d{4}-\d\d-\d\d$/u.test(today) && until < today;
}
