import { baseSatisfies } from "../base-run.ts";
import { viewEntry } from "../entry-view.ts";
import { block, type Rule } from "../rule.ts";

/**
 * A contract about behaviour whose tests the untouched base already gives asks for nothing. Decided on tests only: texts and
 * paths can be satisfied by a comment, so they do not make a contract about behaviour say something.
 */
export const vacuous: Rule = ({ facts, contract }) => {
  const entries = contract?.tests ?? [];
  if (contract === null || entries.length === 0 || (contract.intent ?? "behaviour") !== "behaviour")
    return { findings: [] };
  const met = entries.every((entry, index) => {
    const bases = facts.runs.filter((run) => run.criterion === index && run.purpose === "base");
    return bases.some((base) => baseSatisfies(viewEntry(contract, index, { entry, head: base, base })));
  });
  return {
    findings: met ? [block("contract-vacuous", "tests", "the untouched base already meets every tests entry")] : [],
  };
};
