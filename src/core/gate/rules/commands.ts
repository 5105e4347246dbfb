import type { CommandFacts, Facts } from "../../facts/index.ts";
import { block, type Rule } from "../rule.ts";
import { exitFindings, exitText } from "../exit-text.ts";
import { staleFindings } from "../stale-run.ts";
import type { CriterionResult, Finding } from "../verdict.ts";

/** `commands`: each ran over the head tree and exited 0. One that never ran blocks. */
export const commands: Rule = ({ facts, contract }) => {
  if (facts.subject.mode === "records") return { findings: [] };
  const judged = (contract?.commands ?? []).map(({ command }, index) => judgeCommand(facts, command, index));
  return {
    criteria: judged.map((one) => one.criterion),
    findings: judged.flatMap((one) => one.findings),
  };
};

function judgeCommand(
  facts: Facts,
  command: string,
  index: number,
): { criterion: CriterionResult; findings: readonly Finding[] } {
  const records = facts.commands.filter(
    (one) => one.kind === "command" && one.purpose === "head" && one.criterion === index,
  );
  const subject = `commands[${index}]`;
  const first = records[0];
  if (first === undefined) {
    const detail = `${command}: did not run`;
    return {
      criterion: { kind: "commands", subject, outcome: "failed", detail },
      findings: [block("command-not-run", subject, command)],
    };
  }
  const findings = records.flatMap((record) => [
    ...failures(record, subject, command),
    ...staleFindings(record, subject, facts),
  ]);
  const shown = records.find((record) => failures(record, subject, command).length > 0) ?? first;
  const outcome = findings.length === 0 ? "passed" : "failed";
  return { criterion: { kind: "commands", subject, outcome, detail: `${command}: ${exitText(shown.exit)}` }, findings };
}

function failures(record: CommandFacts, subject: string, command: string): readonly Finding[] {
  const nulls = exitFindings(record.exit, subject, command);
  if (nulls.length > 0 || record.exit.code === 0) return nulls;
  return [block("command-failed", subject, `${command}: ${exitText(record.exit)}`)];
}
