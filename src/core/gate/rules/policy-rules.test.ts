import { expect, test } from "vitest";
import { makeInput } from "../../../../test/fixtures/facts-builders.ts";
import type { PolicyRule, RuleHit } from "../../facts/index.ts";
import { policyRules } from "./policy-rules.ts";

const rule: PolicyRule = {
  name: "no-console",
  category: "style",
  paths: ["src/**"],
  forbids: "console.log",
  severity: "block",
  reason: "use the log",
};
const hit: RuleHit = { rule: "no-console", path: "src/a.ts", kind: "forbidden", line: 3 };

function judge(rules: readonly PolicyRule[], hits: readonly RuleHit[]): readonly string[] {
  const { findings } = policyRules(makeInput({ facts: { rules: { judged_at: "2026-06-15T12:00:00Z", rules, hits } } }));
  return findings.map((one) => [one.severity, one.code, one.subject, one.detail].join("|"));
}

test.each<[string, Partial<PolicyRule>, Partial<RuleHit>, readonly string[]]>([
  ["blocks", {}, {}, ["block|rule-broken|no-console: src/a.ts|line 3, style: use the log"]],
  ["warns", { severity: "warn" }, {}, ["warn|rule-broken|no-console: src/a.ts|line 3, style: use the log"]],
  ["informs", { severity: "info" }, {}, ["info|rule-broken|no-console: src/a.ts|line 3, style: use the log"]],
  [
    "holds on its last day",
    { until: "2026-06-15" },
    {},
    ["block|rule-broken|no-console: src/a.ts|line 3, style: use the log"],
  ],
  ["that has ended only says so", { until: "2026-06-14" }, {}, ["info|rule-ended|no-console|ended on 2026-06-14"]],
  [
    "is about a whole file",
    {},
    { kind: "missing", line: null },
    ["block|rule-broken|no-console: src/a.ts|style: use the log"],
  ],
  [
    "that could not be looked at leaves it open",
    {},
    { kind: "not-looked", line: null },
    ["undetermined|rule-not-looked|no-console: src/a.ts|style"],
  ],
  [
    "that only warns and could not be looked at warns",
    { severity: "warn" },
    { kind: "not-looked", line: null },
    ["warn|rule-not-looked|no-console: src/a.ts|style"],
  ],
  ["of another name is not this one", {}, { rule: "other" }, []],
])("[I3] a rule %s", (_what, more, at, told) => {
  expect(judge([{ ...rule, ...more }], [{ ...hit, ...at }])).toEqual(told);
});

test("without rules nothing is said", () => {
  expect([judge([], []), policyRules(makeInput()).findings]).toEqual([[], []]);
});
