import { notBuiltKeys, type AcceptanceContract } from "../../contract/index.ts";
import { finding, type Rule } from "../rule.ts";
import type { CriterionResult } from "../verdict.ts";

/** What this version cannot decide makes the verdict undetermined; keys that are criteria are counted as such, never left out. */
export const notBuilt: Rule = ({ contract }) => {
  if (contract === null) return { findings: [] };
  const keys = notBuiltKeys(contract);
  return {
    criteria: keys.flatMap(({ key, reason }) =>
      unbuiltSubjects(contract, key).map((subject) => criterion(subject, reason)),
    ),
    findings: keys.map(({ key, reason }) => finding("undetermined", "not-built", { subject: key, detail: reason })),
  };
};

function criterion(subject: string, reason: string): CriterionResult {
  return { kind: "not_built", subject, outcome: "undetermined", detail: `${subject}: ${reason}` };
}

/** One criterion for each item of a key whose items are criteria; other keys change how others are judged. */
function unbuiltSubjects(contract: AcceptanceContract, key: string): readonly string[] {
  if (key === "coverage") return [key];
  if (key !== "projects") return [];
  return (contract[key] ?? []).map((_, index) => `${key}[${index}]`);
}
