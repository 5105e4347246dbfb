import type { Facts, GeneratedFacts } from "../../facts/index.ts";
import { exitFindings, exitText } from "../exit-text.ts";
import { block, finding, type Rule } from "../rule.ts";
import type { CriterionResult, Finding } from "../verdict.ts";

/** More files than this are counted, not named. */
const shownFiles = 10;

/** `generated`, one criterion an entry: its command, run over head without them, makes exactly the files that head has. */
export const generated: Rule = ({ facts, contract }) => {
  const judged = (contract?.generated ?? []).map(({ command }, index) => judgeEntry(facts, command, index));
  return { criteria: judged.map((one) => one.criterion), findings: judged.flatMap((one) => one.findings) };
};

function judgeEntry(
  facts: Facts,
  command: string,
  index: number,
): { readonly criterion: CriterionResult; readonly findings: readonly Finding[] } {
  const subject = `generated[${index}]`;
  const measured = (facts.generated ?? []).filter((one) => one.criterion === index);
  const findings =
    measured.length === 0
      ? [finding("undetermined", "generated-not-run", { subject, detail: `${command}: did not run` })]
      : measured.flatMap((one) => findingsOf(one, subject, command));
  const outcome =
    findings.length === 0 ? "passed" : findings.some((one) => one.severity === "block") ? "failed" : "undetermined";
  const files = measured[0]?.compared ?? 0;
  const detail = outcome === "passed" ? `${command}: ${files} files made again` : (findings[0]?.detail ?? "");
  return { criterion: { kind: "generated", subject, outcome, detail }, findings };
}

function findingsOf(one: GeneratedFacts, subject: string, command: string): readonly Finding[] {
  const { run, compared, differing } = one;
  if (run === null || one.tree === null)
    return [finding("undetermined", "generated-not-run", { subject, detail: `${command}: a prepare step failed` })];
  const nulls = exitFindings(run.exit, subject, command);
  if (nulls.length > 0) return nulls;
  if (run.exit.code !== 0) return [block("command-failed", subject, `${command}: ${exitText(run.exit)}`)];
  if (compared === 0 && differing.length === 0)
    return [block("nothing-to-check", subject, "no file of the change's tree matches its paths")];
  const shown = differing.slice(0, shownFiles);
  const more = differing.length - shown.length;
  return [
    ...shown.map(({ path, state }) => block("generated-differs", path, `${command}: ${words[state]}`)),
    ...(more > 0 ? [block("generated-differs", subject, `${command}: and ${more} more files`)] : []),
  ];
}

const words = {
  differs: "makes other bytes",
  missing: "does not make it",
  extra: "makes it, and it is not there",
} as const;
