import { matchesAny } from "../../contract/index.ts";
import { severityOfSteering } from "../profile.ts";
import { finding, type Rule } from "../rule.ts";

/** Changed files that steer the tests block unless `allow_protected` opens them; opened ones cost a grade (`grade.ts`). */
export const trustRoot: Rule = ({ facts, contract }) => ({
  findings: facts.trust_roots.changed
    .filter(({ path }) => !matchesAny(contract?.allow_protected ?? [], path))
    .map(({ path, why, restored }) => {
      const how = why === "name" ? "configures the tests by its name" : "is read by the tests' configuration";
      const detail = `${how}; ${restored ? "the tests ran with base's copy" : "the tests ran with the changed copy"}`;
      return finding(severityOfSteering(facts), "trust-root-changed", { subject: path, detail });
    }),
});
