import type { TestCase, TestIdentity, TestModule } from "../facts/index.ts";
import type { RunnerReport } from "./second-witness.ts";

/** One case of a report, in our words. `file` is empty where the format does not name it. */
export interface ReportedCase extends Omit<TestIdentity, "ordinal"> {
  readonly state: TestCase["state"];
  readonly errors: readonly string[];
}

/** A number of the header, and the range that the report's own list allows for it; both ends are inclusive. */
export interface HeaderClaim {
  readonly key: string;
  readonly says: number;
  readonly least: number;
  readonly most: number;
}

/** Something in the report that a runner does not write after a good run; what it costs is decided elsewhere. */
export interface ReportFlaw {
  readonly code:
    | "file-reported-nothing"
    | "header-incomplete"
    | "impossible-number"
    | "interrupted"
    | "open-handles"
    | "snapshots-failed"
    | "todo-failed"
    | "unknown-content"
    | "runner-hides-errors"
    | "runners-mixed";
  readonly subject: string;
}

/** All that one report says, whatever its dialect. */
export interface ReportContent {
  /** Name of the dialect: a runner of ours, or `junit`. */
  readonly runner: string;
  readonly cases: readonly ReportedCase[];
  readonly modules: readonly TestModule[];
  readonly unhandled: readonly string[];
  /** The report's own numbers and flags, by its own names. */
  readonly header: Readonly<Record<string, number | boolean>>;
  /** What the report says of the whole run; null where the format has no such word. */
  readonly success: boolean | null;
  readonly claims: readonly HeaderClaim[];
  readonly flaws: readonly ReportFlaw[];
  /** When the run began by the report's own words, milliseconds since 1970; null when it does not say. */
  readonly startedAt: number | null;
}

/** A claim that allows one number only. */
export function exactly(key: string, says: number, counted: number): HeaderClaim {
  return { key, says, least: counted, most: counted };
}

/** The claims that the report's own list contradicts. */
export function brokenClaims(content: ReportContent): readonly HeaderClaim[] {
  return content.claims.filter((claim) => claim.says < claim.least || claim.says > claim.most);
}

const plainState: Record<TestCase["state"], RunnerReport["cases"][number]["state"]> = {
  passed: "passed",
  retried: "passed",
  "expected-failure": "passed",
  failed: "failed",
  skipped: "skipped",
  todo: "todo",
  pending: "pending",
};

/**
 * The report as the second witness reads it. A header that the list bears out stands as the list's own count: formats
 * count parents and files among the tests. One that it contradicts stands as it was written.
 */
export function toRunnerReport(content: ReportContent, told: RunnerReport["header"]): RunnerReport {
  const cases = content.cases.map(({ file, suite, title, state }) => ({
    file,
    suite,
    title,
    state: plainState[state],
  }));
  const count = (state: string): number => cases.filter((item) => item.state === state).length;
  const counted = { total: cases.length, passed: count("passed"), failed: count("failed"), success: told.success };
  const failed = content.modules.filter((item) => item.state === "failed").map((item) => item.file);
  return { cases, failedFiles: [...new Set(failed)], header: brokenClaims(content).length === 0 ? counted : told };
}
