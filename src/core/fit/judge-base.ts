import type { AcceptanceContract } from "../contract/index.ts";
import type { RunFacts, TestCase } from "../facts/index.ts";
import { testsAlreadyMet } from "../gate/index.ts";
import type { FitRun } from "./fit-report.ts";

/** What stands against working on a base that was measured: a code of the error table, with what was seen. */
export interface BaseJudgement {
  readonly code:
    "base-not-measured" | "base-not-believed" | "base-not-green" | "base-without-tests" | "contract-vacuous";
  readonly subject: string;
  readonly detail: string;
}

/** A run in the numbers that people ask for. */
export function runOf(run: RunFacts): FitRun {
  const count = (states: readonly TestCase["state"][]): number =>
    run.cases.filter((one) => states.includes(one.state)).length;
  const passed = count(["passed"]);
  const other = count(["skipped", "todo", "pending"]);
  return {
    command: run.declared_argv.join(" "),
    cwd: run.cwd,
    runner: run.runner.name,
    runner_version: run.runner.version,
    exit: run.exit.code,
    passed,
    failed: run.cases.length - passed - other,
    other,
  };
}

/**
 * Decides from the runs over the untouched base what a delivery would end in before its agent is worth asking. Tests that
 * are red on base are none of it where the contract says `no-worse` and something passes that can be kept.
 */
export function judgeBase(
  runs: readonly RunFacts[],
  contract: AcceptanceContract,
  options: { readonly vacuous: boolean },
): readonly BaseJudgement[] {
  const found = runs.flatMap((run) => judgeRun(run, contract.baseline ?? "no-worse"));
  const asks =
    options.vacuous && (contract.intent ?? "behaviour") === "behaviour" && contract.held_out_tests === undefined;
  const vacuous = asks && found.length === 0 && runs.length > 0 && testsAlreadyMet(contract, runs);
  if (!vacuous) return found;
  return [{ code: "contract-vacuous", subject: "tests", detail: "the untouched base already meets every tests entry" }];
}

function judgeRun(run: RunFacts, baseline: "green" | "no-worse"): readonly BaseJudgement[] {
  const subject = run.declared_argv.join(" ");
  const said = (code: BaseJudgement["code"], detail: string): readonly BaseJudgement[] => [{ code, subject, detail }];
  if (run.exit.error !== null && run.exit.error !== "codes-differ")
    return said("base-not-measured", `it was ended by ${run.exit.error}${lastWords(run)}`);
  const [fault] = run.faults;
  if (fault !== undefined) return said("base-not-believed", `${fault.code}: ${fault.detail}${lastWords(run)}`);
  const broken = run.modules.flatMap((one) => one.errors.map((error) => `${one.file}: ${error}`));
  if (run.cases.length === 0 && broken.length === 0 && run.unhandled.length === 0)
    return said("base-without-tests", `exit ${run.exit.code ?? "none"}${lastWords(run)}`);
  const { passed, failed } = runOf(run);
  const bad = [...run.cases.filter(isBad).map(nameOf), ...broken, ...run.unhandled];
  const red = failed > 0 || bad.length > 0 || run.exit.code !== 0;
  if (!red || (baseline === "no-worse" && passed > 0)) return [];
  return said(
    "base-not-green",
    `exit ${run.exit.code ?? "none"}, ${passed} passed, ${failed} failed; ${clip(bad[0] ?? "")}`,
  );
}

function isBad(one: TestCase): boolean {
  return !["passed", "skipped", "todo", "pending"].includes(one.state);
}

function nameOf(one: TestCase): string {
  return `${one.file}: ${[...one.suite, one.title].join(" > ")}: ${one.errors[0] ?? one.state}`;
}

/** The end of what the command printed: mostly the reason. */
function lastWords({ stdout, stderr }: RunFacts): string {
  const text = [stderr, stdout].map(({ head, tail }) => (tail === "" ? head : tail).trim()).find((one) => one !== "");
  return text === undefined ? "" : `; it printed: ${clip(text.split("\n").slice(-3).join(" | "))}`;
}

function clip(text: string): string {
  const line = text
    .replace(/\u001b\[[0-9;]*m/gu, "")
    .replace(/\s+/gu, " ")
    .trim();
  return line.length > 300 ? `${line.slice(0, 300)}...` : line;
}
