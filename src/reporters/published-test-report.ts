import { outcomeOfReport } from "../core/test-report/index.ts";
import { testCase, verdictCase, type PublishedResult } from "./published-result.ts";
import { testReportWords } from "./test-report-words.ts";
import type { ToldReport } from "./test-report.ts";

const outcomes = { passed: "passed", failed: "blocked", undetermined: "undetermined" } as const;

/** A judged test report as other tools want it: what the runner wrote, held against itself. */
export function publishTestReport({ file, runner, exit, judged }: ToldReport): PublishedResult {
  const told = outcomeOfReport(judged.findings);
  const outcome = outcomes[told];
  const words = { passed: "passed", failed: "NOT passed", undetermined: "cannot be decided" }[told];
  const headline = `Test report: ${words} (${judged.counts.passed} of ${judged.counts.total} tests passed plainly)`;
  return {
    headline,
    outcome,
    findings: judged.findings.map(({ code, severity, subject }) => ({
      code,
      severity,
      ...testReportWords[code],
      about: subject,
      subject: "",
      place: null,
    })),
    cases: [
      verdictCase(headline, outcome),
      ...judged.findings.flatMap(({ code, severity, subject }) =>
        severity === "warn"
          ? []
          : [
              {
                suite: "findings",
                name: code,
                file: null,
                state: severity === "block" ? ("failed" as const) : ("error" as const),
                told: severity,
                message: `${testReportWords[code].title}: ${subject}\n${testReportWords[code].hint}`,
              },
            ],
      ),
      ...judged.cases.map((one) => testCase("tests", one)),
    ],
    properties: {
      outcome: told,
      report: file,
      runner: runner ?? "not read",
      exit: exit === null ? "unknown" : exit.code === null ? (exit.signal ?? exit.error ?? "unknown") : `${exit.code}`,
    },
    claims: [],
    notes: ["A report is a file, and code of the run could have written it: `trueup check` runs the tests again."],
    startedAt: 0,
    durationMs: 0,
  };
}
