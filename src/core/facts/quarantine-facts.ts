/** A test that fails now and then, and until when that is put up with. */
export interface QuarantinedTest {
  /** `suite > title` as contracts write it, or the same with `file > ` in front. */
  readonly test: string;
  readonly reason: string;
  /** A date, `2026-12-31`: the last day in UTC on which it counts. */
  readonly until: string;
}

/** What base's policy puts up with, and the time at which that was asked. */
export interface QuarantineFacts {
  /** ISO 8601, UTC: when this was gathered. */
  readonly judged_at: string;
  readonly tests: readonly QuarantinedTest[];
}
