import { finding, type Rule } from "../rule.ts";

/** What the gatherer could not determine stays undetermined here, with its own code in the detail. */
export const notMeasured: Rule = ({ facts }) => ({
  findings: [...facts.undetermined, ...facts.change.undetermined].map(({ code, subject, detail }) =>
    finding("undetermined", "not-measured", { subject, detail: `${code}: ${detail}` }),
  ),
});
