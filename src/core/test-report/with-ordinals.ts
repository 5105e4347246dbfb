import type { TestIdentity } from "../facts/index.ts";

/** Numbers equal identities in the order of the list: 0 for the first, 1 for the second. */
export function withOrdinals<T extends Omit<TestIdentity, "ordinal">>(
  cases: readonly T[],
): (T & Pick<TestIdentity, "ordinal">)[] {
  const seen = new Map<string, number>();
  return cases.map((item) => {
    const key = JSON.stringify([item.project, item.file, item.suite, item.title]);
    const ordinal = seen.get(key) ?? 0;
    seen.set(key, ordinal + 1);
    return { ...item, ordinal };
  });
}
