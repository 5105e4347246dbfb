import { compareClaim, measureMovement } from "../core/gate/index.ts";
import { logJson } from "./escape-terminal.ts";
import { claimOf, countChecks, headline, type Report } from "./report.ts";
import { wordsOf } from "./finding-words.ts";

/** One JSON object for programs: the verdict, its words, the movement of the tests, and claimed beside verified. One line. */
export function renderJson(report: Report): string {
  const { verdict, facts, contract } = report;
  const object = {
    version: 1,
    headline: headline(verdict),
    outcome: verdict.outcome,
    checks: countChecks(verdict),
    verdict,
    words: Object.fromEntries(verdict.findings.map(({ code }) => [code, wordsOf(code)])),
    tests: measureMovement(facts, contract),
    claims: compareClaim(facts, contract, claimOf(report)),
    subject: facts.subject,
  };
  return `${logJson(object)}\n`;
}
