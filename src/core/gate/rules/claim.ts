import { compareClaim } from "../compare-claim.ts";
import { finding, type Rule } from "../rule.ts";

/** What the agent said is never evidence: where the runs say otherwise it is a warning, and it can add nothing. */
export const claim: Rule = ({ facts, contract }) => ({
  findings: compareClaim(facts, contract, facts.claim)
    .filter((row) => row.standing !== "agrees")
    .map(({ about, claimed, verified, standing }) =>
      standing === "contradicted"
        ? finding("warn", "claim-contradicted", { subject: about, detail: `claimed ${claimed}, verified ${verified}` })
        : finding("info", "claim-not-measured", { subject: about, detail: `claimed ${claimed}, no test was run here` }),
    ),
});
