import { notBuiltKeys } from "../../contract/index.ts";
import { finding, type Rule } from "../rule.ts";
import type { CriterionResult } from "../verdict.ts";

/** What this version cannot decide makes the verdict undetermined; keys that are criteria are counted as such, never left out. */
export const notBuilt: Rule = ({ contract }) => {
  if (contract === null) return { findings: [] };
  const keys = notBuiltKeys(contract);
  return {
    criteria: keys.flatMap(({ key, reason }) => unbuiltSubjects(key).map((subject) => criterion(subject, reason))),
    findings: keys.map(({ key, reason }) => finding("undetermined", "not-built", { subject: key, detail: reason })),
  };
};

function criterion(subject: string, reason: string): CriterionResult {
  return { kind: "not_built", subject, outcome: "undetermined", detail: `${subject}: ${reason}` };
}

/** A key that is itself a criterion; other keys change how others are judged. */
function unbuiltSubjects(key: string): readonly string[] {
  return key === "coverage" ? [key] : [];
}
