import type { ReportFlaw } from "../core/test-report/index.ts";
import { oddDurations } from "./read-numbers.ts";
import type { JunitDocument } from "./read-junit.ts";

/** What may be wrong with a JUnit file whatever runner wrote it. */
export function commonFlaws(document: JunitDocument): readonly ReportFlaw[] {
  return [
    ...document.strange.map((subject) => ({ code: "unknown-content", subject }) as const),
    ...oddDurations(document).map(
      (time) => ({ code: "impossible-number", subject: `a duration of ${time.slice(0, 40)}` }) as const,
    ),
  ];
}
