import type { AcceptanceContract } from "../../contract/index.ts";
import type { RecordFacts } from "../../facts/index.ts";
import type { CommandRecord } from "../../record/index.ts";
import { byStart, chainText, isOfJudgedTree, judgedRecords, recordExitText } from "../judged-records.ts";
import { block, finding, type Rule, type RuleContext } from "../rule.ts";
import type { CriterionResult, Finding } from "../verdict.ts";

interface Asked {
  readonly kind: "tests" | "commands";
  readonly subject: string;
  readonly command: string;
  /** What of it only a re-run can measure. */
  readonly unmeasured: readonly string[];
}

/**
 * In a session without a re-run: each acceptance command is in the records, over the judged tree, and every record of it
 * that decides exited 0. A failure that a retry turned green still blocks, and the chain is shown.
 */
export const acceptanceRecords: Rule = (context) => {
  const { facts, contract } = context;
  if (facts.subject.mode !== "records" || contract === null) return { findings: [] };
  const { records } = facts;
  if (records === null) return { findings: [block("nothing-to-check", "records", "there are no command records")] };
  const judged = askedOf(contract).map((asked) => judge(asked, records, context));
  return {
    criteria: judged.map((one) => one.criterion),
    findings: judged.flatMap((one) => one.findings),
  };
};

function askedOf(contract: AcceptanceContract): readonly Asked[] {
  const tests = (contract.tests ?? []).map((entry, index) => ({
    kind: "tests" as const,
    subject: `tests[${index}]`,
    command: entry.command,
    unmeasured: (["passed", "added", "names"] as const).filter((key) => entry[key] !== undefined),
  }));
  const commands = (contract.commands ?? []).map(({ command }, index) => ({
    kind: "commands" as const,
    subject: `commands[${index}]`,
    command,
    unmeasured: [],
  }));
  return [...tests, ...commands];
}

function judge(
  asked: Asked,
  records: RecordFacts,
  context: RuleContext,
): { criterion: CriterionResult; findings: readonly Finding[] } {
  const { kind, subject, command } = asked;
  const { all, deciding } = judgedRecords(records, subject, context.policy.failed_records ?? "retries");
  const blocks = all.length === 0 ? [block("command-not-run", subject, command)] : faults(asked, deciding, records);
  const newest = newestOf(deciding.length === 0 ? all : deciding);
  const detail =
    newest === undefined ? `${command}: in no record` : `${command}: ${recordExitText(newest)} in the records`;
  const warns = asked.unmeasured.map((key) => finding("warn", "count-not-measured", { subject, detail: key }));
  return {
    criterion: { kind, subject, outcome: blocks.length === 0 ? "passed" : "failed", detail },
    findings: [...blocks, ...warns],
  };
}

function newestOf(records: readonly CommandRecord[]): CommandRecord | undefined {
  let newest = records[0];
  for (const record of records) if (newest === undefined || byStart(newest, record) < 0) newest = record;
  return newest;
}

function faults(asked: Asked, deciding: readonly CommandRecord[], records: RecordFacts): readonly Finding[] {
  const { subject, command } = asked;
  const nulls = deciding.some((record) => record.exit_code === null || record.error !== null);
  const failed = deciding.some((record) => record.exit_code !== null && record.exit_code !== 0);
  const passed = deciding.some(
    (record) => record.exit_code === 0 && record.error === null && isOfJudgedTree(record, records),
  );
  const detail = nulls || failed ? `${command}: ${chainText(deciding)}` : "";
  return [
    ...(nulls ? [block("null-exit", subject, detail)] : []),
    ...(failed ? [block("command-failed", subject, detail)] : []),
    ...(passed || nulls || failed
      ? []
      : [block("stale-record", subject, `${command}: no record over the judged tree`)]),
  ];
}
