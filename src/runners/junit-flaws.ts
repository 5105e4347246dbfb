import type { ReportFlaw } from "../core/test-report/index.ts";
import { oddDurations } from "./read-numbers.ts";
import type { JunitDocument } from "./read-junit.ts";

/** What may be wrong with a JUnit file whatever runner wrote it. */
export function commonFlaws(document: JunitDocument): readonly ReportFlaw[] {
  return [
    ...document.suites
      .filter((suite) => suite.outcomes.length > 0)
      .slice(0, 3)
      .map(
        (suite) => ({ code: "unknown-content", subject: `an outcome of the suite ${suite.path.join(" > ")}` }) as const,
      ),
    ...document.strange.map((subject) => ({ code: "unknown-content", subject }) as const),
    ...oddDurations(document).map(
      (time) => ({ code: "impossible-number", subject: `a duration of ${time.slice(0, 40)}` }) as const,
    ),
  ];
}
