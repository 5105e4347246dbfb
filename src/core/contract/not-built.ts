import type { AcceptanceContract, TestsEntry } from "./schema.ts";
import { parseTestCommand } from "./test-command.ts";

/** Something a contract asks for that this version parses and pins but does not evaluate. */
export interface NotBuilt {
  readonly key: string;
  readonly reason: string;
}

const wholeKeys = {
  coverage: "coverage is not measured yet",
  approvals: "approvals are not asked for yet",
} as const satisfies Partial<Record<keyof AcceptanceContract, string>>;

/** Runners whose tests this version runs. */
export const builtRunners: readonly string[] = ["vitest", "jest", "node-test", "pytest"];

/**
 * Lists what of the contract this version cannot decide; each makes the verdict `undetermined`, never a pass.
 * `rollback_plan` is words for people and `soft_paths` is the gate's: neither is here.
 */
export function notBuiltKeys(contract: AcceptanceContract): readonly NotBuilt[] {
  const whole = Object.entries(wholeKeys).filter(([key]) => Reflect.get(contract, key) !== undefined);
  return [
    ...whole.map(([key, reason]) => ({ key, reason })),
    ...(contract.budget?.violations === undefined
      ? []
      : [{ key: "budget.violations", reason: "violations are not counted yet" }]),
    ...(contract.needs ?? [])
      .filter((need) => need !== "proc")
      .map((need) => ({ key: "needs", reason: `${need} is not offered yet` })),
    ...(contract.network === undefined || contract.network === "none"
      ? []
      : [{ key: "network", reason: "the clean room has no network yet" }]),
    ...(contract.tests ?? []).flatMap((entry, index) => notBuiltOfTest(entry, `tests[${index}]`)),
  ];
}

function notBuiltOfTest(entry: TestsEntry, key: string): readonly NotBuilt[] {
  const runner = runnerReason(entry.command);
  return runner === null ? [] : [{ key: `${key}.command`, reason: runner }];
}

function runnerReason(command: string): string | null {
  const checked = parseTestCommand(command);
  if (!checked.ok) return "the command is not allowed";
  const { runner } = checked.command;
  // A script comes down to its runner when it is run; one that does not is an error then.
  return runner === "script" || builtRunners.includes(runner) ? null : `${runner} is not run yet`;
}
