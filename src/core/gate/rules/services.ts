import type { CommandFacts, RunFacts } from "../../facts/index.ts";
import { block, type Rule } from "../rule.ts";

/** What the start of the services prints when one does not come up, last; the command behind them was then never started. */
const words = /trueup: (the service [^\n]+)\s*$/u;

/** A run that ended before it began, since a service was not ready. Its other findings say what is missing for it. */
export const services: Rule = ({ facts, contract }) => {
  if (contract?.services === undefined) return { findings: [] };
  const said = (subject: string, { exit, stderr }: Pick<RunFacts | CommandFacts, "exit" | "stderr">) => {
    const why = exit.code === 97 ? words.exec(stderr.tail === "" ? stderr.head : stderr.tail)?.[1] : undefined;
    return why === undefined ? [] : [block("service-not-ready", subject, why)];
  };
  return {
    findings: [
      ...facts.runs.flatMap((run) => said(`tests[${run.criterion}] ${run.purpose}`, run)),
      ...facts.commands.flatMap((one) => said(`commands[${one.criterion}]`, one)),
    ],
  };
};
