import type { RecordFacts } from "../../facts/index.ts";
import { chainOf, byStart, counts, isOfJudgedTree, recordExitText } from "../judged-records.ts";
import { block, finding, type Rule } from "../rule.ts";
import type { Finding } from "../verdict.ts";

/** The log is whole and anchored, holds something, and no other command ended without an exit code where that matters. */
export const recordLog: Rule = ({ facts: { records } }) => {
  if (records === null) return { findings: [] };
  const { faults, anchored, records: list } = records.log;
  return {
    findings: [
      ...faults.map(({ kind, detail }) => block("log-broken", kind, detail)),
      ...(anchored ? [] : [block("log-unanchored", "", `${list.length} records`)]),
      ...(list.length === 0 ? [block("nothing-to-check", "records", "no command was run through `trueup run`")] : []),
      ...otherNullExits(records),
      ...(records.hooks ?? [])
        .filter(({ fired }) => !fired)
        .map(({ client }) =>
          finding("warn", "hook-never-fired", { subject: client, detail: "installed when the session began" }),
        ),
    ],
  };
};

/** A command outside the contract whose end is unknown: on the judged tree, or the last word of its chain. */
function otherNullExits(records: RecordFacts): readonly Finding[] {
  const list = records.log.records.filter(counts).toSorted(byStart);
  const chains = chainOf(list);
  const last = new Map(list.map((record) => [chains.get(record.command_id), record]));
  return list
    .filter((record) => record.matches.length === 0 && (record.exit_code === null || record.error !== null))
    .filter((record) => isOfJudgedTree(record, records) || last.get(chains.get(record.command_id)) === record)
    .map((record) => block("null-exit", record.command_id, `${record.argv.join(" ")}: ${recordExitText(record)}`));
}
