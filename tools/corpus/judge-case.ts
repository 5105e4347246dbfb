import { isRunCase } from "./case-schema.ts";
import type { CorpusCase } from "./load-corpus.ts";
import type { Outcome } from "./read-outcome.ts";

/** What was seen of one case; both null for one that cannot be run. */
export interface Seen {
  readonly own: Outcome | null;
  readonly twin: Outcome | null;
}

export interface Row {
  readonly one: CorpusCase;
  readonly seen: Seen;
  /** `survived`: known and said why. */
  readonly status: "blocked" | "survived" | "passed" | "not-run" | "wrong";
  /** Every way in which what was seen is not what the case says; `wrong` exactly when there is one. */
  readonly problems: readonly string[];
  readonly falseBlock: boolean;
}

/** Compares what a case promises with what happened. */
export function judgeCase(one: CorpusCase, seen: Seen): Row {
  const { data } = one;
  if (!isRunCase(data)) return { one, seen, status: "not-run", problems: [], falseBlock: false };
  const { own, twin } = seen;
  if (own === null) return { one, seen, status: "wrong", problems: ["it was not run"], falseBlock: false };
  const cheat = data.kind === "cheat";
  const survives = cheat && data.expected_survivor !== undefined;
  const stale = "is listed as a survivor and is stopped now: take the line away";
  const problems = survives
    ? own.outcome === "passed"
      ? []
      : [own.outcome === "error" ? `ended in an error: ${own.said.join()}` : stale]
    : expectationProblems(data.expected, { own, found: data.expected.outcome === "passed" ? own.warns : own.codes });
  const twinProblems =
    data.twin === undefined ? [] : twin === null ? ["the twin was not run"] : twinFlaws(twin, data.twin.warns ?? []);
  const all = [...problems, ...twinProblems];
  const good = survives ? "survived" : data.expected.outcome === "passed" ? "passed" : "blocked";
  const honest = cheat ? twin : own;
  const expected = cheat ? "passed" : data.expected.outcome;
  const falseBlock = honest !== null && expected === "passed" && honest.outcome !== "passed";
  return { one, seen, status: all.length > 0 ? "wrong" : good, problems: all, falseBlock };
}

interface Expected {
  readonly outcome: string;
  readonly codes: readonly string[];
  readonly b: string;
  readonly counts: string;
}

function expectationProblems(expected: Expected, { own, found }: { own: Outcome; found: readonly string[] }) {
  if (own.outcome === "error") return [`ended in an error: ${own.said.join()}`];
  const missing = expected.codes.filter((code) => !found.includes(code));
  return [
    ...(own.outcome === expected.outcome ? [] : [`${own.outcome}, not ${expected.outcome}`]),
    ...(missing.length === 0 ? [] : [`no ${missing.join(", ")} among ${found.join(", ") || "nothing"}`]),
    ...(own.b === expected.b ? [] : [`at B ${own.b}, not ${expected.b}`]),
    ...(own.counts === expected.counts ? [] : [`by counts ${own.counts}, not ${expected.counts}`]),
  ];
}

function twinFlaws(twin: Outcome, warns: readonly string[]): readonly string[] {
  if (twin.outcome !== "passed")
    return [`the honest twin is ${twin.outcome}: ${twin.codes.join(", ") || twin.said.join()}`];
  const missing = warns.filter((code) => !twin.warns.includes(code));
  return missing.length === 0 ? [] : [`the honest twin has no warning ${missing.join(", ")}`];
}
