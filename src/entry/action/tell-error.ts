import { appendFile } from "node:fs/promises";
import { exitCodeOf } from "../../errors.ts";
import { publishNothing, renderReport, workflowCommand } from "../../reporters/index.ts";
import { describeError } from "../cli/describe-error.ts";
import { readPackageVersion } from "../cli/package-version.ts";

/** Says what ended a job before anything was judged: an annotation, the step's summary, and outputs without an outcome. */
export async function tellError(env: Readonly<Record<string, string | undefined>>, thrown: unknown): Promise<void> {
  const error = describeError(thrown);
  const { code, message, hint } = error;
  process.stdout.write(`${workflowCommand("error", { title: `trueup: ${code}` }, `${message}. ${hint}`)}\n`);
  const { GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: outputs } = env;
  const said = renderReport("github-summary", publishNothing(`${message}. ${hint}`), { version: readPackageVersion() });
  if (summary !== undefined && summary !== "") await appendFile(summary, said);
  if (outputs !== undefined && outputs !== "") await appendFile(outputs, `exit-code=${exitCodeOf(error)}\n`);
}
