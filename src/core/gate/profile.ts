import type { Facts } from "../facts/index.ts";
import type { Finding } from "./verdict.ts";

/** Whether base's policy lets this change be judged as a person's. */
export function isPersons({ profile }: Pick<Facts, "profile">): boolean {
  return profile?.name === "person";
}

/** How bad it is to touch what steers the judgement: a person is shown it, everybody else is stopped. */
export function severityOfSteering(facts: Pick<Facts, "profile">): Finding["severity"] {
  return isPersons(facts) ? "warn" : "block";
}
