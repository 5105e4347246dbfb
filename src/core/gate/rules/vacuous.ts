import type { AcceptanceContract } from "../../contract/index.ts";
import type { RunFacts } from "../../facts/index.ts";
import { baseSatisfies } from "../base-run.ts";
import { viewEntry } from "../entry-view.ts";
import { heldOutPasses } from "../held-out-run.ts";
import { block, type Rule } from "../rule.ts";

/**
 * A contract about behaviour whose tests the untouched base already gives asks for nothing. Decided on tests only: texts and
 * paths can be satisfied by a comment, so they do not make a contract about behaviour say something.
 */
export const vacuous: Rule = ({ facts, contract }) => {
  const entries = contract?.tests ?? [];
  const hidden = contract?.held_out_tests ?? [];
  if (contract === null || entries.length + hidden.length === 0 || (contract.intent ?? "behaviour") !== "behaviour")
    return { findings: [] };
  const met = testsAlreadyMet(contract, facts.runs);
  const kept = hidden.every((entry, index) =>
    (facts.held_out ?? []).some(
      (run) => run.criterion === index && run.purpose === "base" && heldOutPasses(run, entry.passed),
    ),
  );
  return {
    findings:
      met && kept ? [block("contract-vacuous", "tests", "the untouched base already meets every tests entry")] : [],
  };
};

/** Whether the untouched base gives what every tests entry demands; true where there is no entry. */
export function testsAlreadyMet(contract: AcceptanceContract, runs: readonly RunFacts[]): boolean {
  return (contract.tests ?? []).every((entry, index) => {
    const bases = runs.filter((run) => run.criterion === index && run.purpose === "base");
    return bases.some((base) => baseSatisfies(viewEntry(contract, index, { entry, head: base, base })));
  });
}
