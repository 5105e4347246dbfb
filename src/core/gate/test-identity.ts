import type { TestCase, TestIdentity } from "../facts/index.ts";

/** A key that is equal for equal identities only, whatever characters the titles hold. */
export function identityKey(identity: TestIdentity): string {
  const { project, file, suite, title, ordinal } = identity;
  return JSON.stringify([project, file, suite, title, ordinal]);
}

/** Suite path and title as a contract writes them: `suite > title`. */
export function testName(identity: TestIdentity): string {
  return [...identity.suite, identity.title].join(" > ");
}

/** An identity for people: `file > suite > title`, with `#2` for the second of equals and the project when there is one. */
export function identityText(identity: TestIdentity): string {
  const twin = identity.ordinal === 0 ? "" : ` #${identity.ordinal + 1}`;
  const project = identity.project === "" ? "" : `[${identity.project}] `;
  return `${project}${identity.file} > ${testName(identity)}${twin}`;
}

/** Whether a name of a contract means this test: `suite > title`, or the same with the file in front. */
export function isNamed(identity: TestIdentity, name: string): boolean {
  const own = testName(identity);
  return name === own || name === `${identity.file} > ${own}`;
}

/** A case's state, with the first line of its first error: `failed: AssertionError: expected 1 to be 2`. */
export function stateText(one: Pick<TestCase, "state" | "errors">): string {
  const [line = ""] = (one.errors[0] ?? "").trim().split("\n", 1);
  return line === "" ? one.state : `${one.state}: ${line.slice(0, 300)}`;
}

/** The cases by identity; an identity that came twice is left to the evidence rules. */
export function byIdentity(cases: readonly TestCase[]): ReadonlyMap<string, TestCase> {
  return new Map(cases.map((one) => [identityKey(one), one]));
}

/** How many passed plainly. */
export function passedCount(cases: readonly TestCase[]): number {
  return cases.filter((one) => one.state === "passed").length;
}
