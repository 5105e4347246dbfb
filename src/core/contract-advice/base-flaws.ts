import type { AcceptanceContract, TestsEntry } from "../contract/index.ts";
import type { FitReport, FitRun } from "../fit/index.ts";
import { fatal, type ContractFlaw } from "./contract-flaw.ts";

/** What trying the contract over the untouched base shows: why nothing could run, counts that it has or never reaches. */
export function baseFlaws(
  contract: AcceptanceContract,
  report: Pick<FitReport, "reasons" | "baseline">,
): readonly ContractFlaw[] {
  const reasons = report.reasons.map((one) => {
    const seen = [one.subject, one.detail].filter((part) => part !== null).join(", ");
    const detail = `${one.message}${seen === "" ? "" : `: ${seen}`}. ${one.remedy}`;
    // What could only not be found out is no fault of the contract.
    const severity = one.mended_by === "unknown" ? ("warning" as const) : ("error" as const);
    return { severity, code: one.code, key: keyOf(one.code), detail };
  });
  // The runs stand in the order of the entries, and are there for all of them or not at all.
  const counts = (contract.tests ?? []).flatMap((entry, index) => {
    const run = report.baseline[index];
    return run === undefined ? [] : countFlaws(entry, run, `tests[${index}]`);
  });
  return [...reasons, ...counts];
}

function keyOf(code: string): string {
  return code.startsWith("base-") || code === "contract-vacuous" ? "tests" : "contract";
}

function countFlaws(entry: TestsEntry, run: FitRun, key: string): readonly ContractFlaw[] {
  const { passed, added } = entry;
  if (passed === undefined) return [];
  const kept = entry.keep_base !== false && entry.retired === undefined;
  if (added !== undefined && passed !== run.passed + added) {
    const sum = `${run.passed} pass on base, and ${added} more are ${run.passed + added}, not ${passed}`;
    return [fatal("counts-disagree", `${key}.passed`, sum)];
  }
  if (kept && passed < run.passed)
    return [
      fatal("count-below-base", `${key}.passed`, `${run.passed} pass on base and must stay, so never only ${passed}`),
    ];
  return [];
}
