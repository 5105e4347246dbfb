import { block, type Rule } from "../rule.ts";

/** A record of something the contract does not name is no evidence for it, and a failed one must not go unseen. */
export const runUnasked: Rule = ({ facts, contract }) => {
  if (contract === null) return { findings: [] };
  const asked = {
    tests: contract.tests?.length ?? 0,
    prepare: contract.prepare?.length ?? 0,
    command: contract.commands?.length ?? 0,
    held_out: contract.held_out_tests?.length ?? 0,
    generated: contract.generated?.length ?? 0,
  };
  const records = [
    ...facts.runs.map((run) => ({ kind: "tests" as const, index: run.criterion, argv: run.declared_argv })),
    ...facts.commands.map((record) => ({ kind: record.kind, index: record.criterion, argv: record.argv })),
    ...(facts.held_out ?? []).map((run) => ({ kind: "held_out" as const, index: run.criterion, argv: [] })),
    ...(facts.generated ?? []).map((one) => ({
      kind: "generated" as const,
      index: one.criterion,
      argv: one.run?.argv ?? [],
    })),
  ];
  return {
    findings: records
      .filter(({ kind, index }) => !(Number.isInteger(index) && index >= 0 && index < asked[kind]))
      .map(({ kind, index, argv }) => block("run-unasked", `${kind}[${index}]`, argv.join(" "))),
  };
};
