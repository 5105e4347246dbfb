import type { CommandFacts, Facts } from "../../facts/index.ts";
import { exitFindings, exitText } from "../exit-text.ts";
import { finding, type Rule } from "../rule.ts";
import { staleFindings } from "../stale-run.ts";
import type { Finding } from "../verdict.ts";

/** Every prepare step ran before head's tests and exited 0; on base it is only said, its missing runs speak for themselves. */
export const prepare: Rule = ({ facts, contract }) => {
  if (facts.subject.mode === "records") return { findings: [] };
  const records = facts.commands.filter((one) => one.kind === "prepare");
  const needed = (contract?.tests ?? contract?.commands) !== undefined;
  const failed = records.flatMap((record) => prepareFailure(record, facts));
  const stopped = failed.some((one) => one.severity === "block");
  const missing = (contract?.prepare ?? []).flatMap(({ command }, index) => {
    const ran = records.some((one) => one.purpose === "head" && one.criterion === index);
    if (!needed || ran || stopped) return [];
    return [finding("undetermined", "prepare-not-run", { subject: `prepare[${index}]`, detail: command })];
  });
  return { findings: [...failed, ...missing] };
};

function prepareFailure(record: CommandFacts, facts: Facts): readonly Finding[] {
  const subject = `prepare[${record.criterion}]${record.purpose === "base" ? " base" : ""}`;
  const words = record.argv.join(" ");
  const stale = staleFindings(record, subject, facts);
  const nulls = exitFindings(record.exit, subject, words);
  if (nulls.length > 0 || record.exit.code === 0) return [...stale, ...nulls];
  const severity = record.purpose === "base" ? "warn" : "block";
  return [...stale, finding(severity, "prepare-failed", { subject, detail: `${words}: ${exitText(record.exit)}` })];
}
