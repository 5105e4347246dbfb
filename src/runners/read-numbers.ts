import type { JunitDocument } from "./read-junit.ts";

/** A count of a header: digits and nothing else; null for anything that is none. */
export function readCount(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/u.test(text) ? Number(text) : null;
}

/** The durations of a JUnit file that no clock gives: not a number, or below zero; at most three. */
export function oddDurations(document: JunitDocument): readonly string[] {
  const all = [...document.suites, ...document.cases].flatMap(({ attributes }) => attributes["time"] ?? []);
  // Some locales write thousands with a comma.
  return all.filter((time) => time !== "" && !/^\d[\d,]*(?:\.\d+)?(?:e-?\d+)?$/iu.test(time)).slice(0, 3);
}
