import type { FitReport } from "../core/fit/index.ts";
import { escapeTerminal } from "./escape-terminal.ts";

const headlines: Readonly<Record<FitReport["outcome"], string>> = {
  fit: "Fit",
  "no-fit": "No fit",
  undetermined: "Could not be found out",
};

/** The account of a preflight for people: outcome first, then each reason with its remedy, then what was seen. Ends with a line end. */
export function renderFit(report: FitReport): string {
  const { base, grade } = report;
  const lines = [
    `${headlines[report.outcome]}: ${report.repository} at ${base.ref} (${base.commit.slice(0, 12)})`,
    ...report.reasons.flatMap(({ message, subject, detail, code, remedy }) => [
      `  ✗ ${message}${subject === null ? "" : `: ${subject}`}${detail === null || detail === "" ? "" : ` (${detail})`} [${code}]`,
      `    ${remedy}`,
    ]),
    ...report.limits.map((limit) => `  ! ${limit}`),
    ...seenLines(report),
    ...(grade === null ? [] : [`  best grade: ${grade.best}`, ...grade.costs.map((cost) => `    ${cost}`)]),
    ...report.drift.map(({ what, was, now }) => `  ~ since it was last fit, ${what}: ${was}, now ${now}`),
  ];
  return `${lines.map((line) => escapeTerminal(line)).join("\n")}\n`;
}

const sources: Readonly<Record<FitReport["contract"]["source"], string>> = {
  given: "given",
  standing: ".trueup/contract.json of the base",
  derived: "guessed from the repository; a delivery needs a written one",
  none: "none",
};

function seenLines(report: FitReport): readonly string[] {
  const { contract, toolchain, dependencies, baseline, steps } = report;
  const tests = contract.tests.length === 0 ? "no tests" : contract.tests.join(", ");
  return [
    `  contract: ${tests} (${sources[contract.source]})`,
    ...(toolchain.length === 0
      ? []
      : [`  programs: ${toolchain.map(({ name, version }) => `${name} ${version}`).join(", ")}`]),
    ...dependencies.map(
      ({ root, manager, packages, lockfile }) =>
        `  dependencies of ${root === "" ? "the root" : root}: ${manager === "none" ? "none" : `${packages} by ${manager} from ${lockfile ?? "?"}`}`,
    ),
    ...baseline.map(
      (run) =>
        `  base: ${run.command} (${run.runner} ${run.runner_version}): exit ${run.exit ?? "none"}, ${run.passed} passed, ${run.failed} failed, ${run.other} other`,
    ),
    `  steps: ${steps.map(({ step, seconds, state }) => `${step} ${seconds === null ? state : `${seconds.toFixed(1)} s`}`).join(", ")}`,
  ];
}
