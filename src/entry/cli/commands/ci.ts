import { Option, type Command } from "commander";
import { reportOption } from "../report-files.ts";
import type { ExitSlot } from "../run-cli.ts";
import { runCi, type CiOptions } from "../run-ci.ts";
import type { Terminal } from "../terminal.ts";

const help = `
On GitHub the event of the job says what is judged: a pull request, or a merge group. Anywhere else name the branch that
the change goes into:

  trueup ci --base origin/main --author agent
  trueup ci --base "origin/$CI_MERGE_REQUEST_TARGET_BRANCH_NAME" --head "$CI_COMMIT_SHA" --report junit=trueup.xml

The contract comes from .trueup/contract.json at the tip of the base, or from one issue that the pull request closes, if
people with write permission wrote and last edited it; never from the change. Run it in a job of its own, right after the
checkout: nothing of the change may run before it. docs/ci.md has recipes.

The exit code is the conclusion: 0 passed (or nothing to check, with a notice, where a person asks and no contract is
required), 1 blocked, 2 configuration or environment, 3 undetermined or unchecked.`;

/** `trueup ci`: judges what a CI job is about. */
export function registerCi(program: Command, terminal: Terminal, exit: ExitSlot): void {
  program
    .command("ci")
    .description("Judge the pull request, merge group or branch of this CI job; the exit code is the conclusion.")
    .option("--base <rev>", "the branch that the change goes into (default: what the event says)")
    .option("--head <commit>", "with --base: the commit that must be checked out")
    .addOption(
      new Option(
        "--author <kind>",
        "with --base: who made the change (default: not known, treated as an agent)",
      ).choices(["person", "agent"]),
    )
    .option("--require-contract", "a change without a contract does not pass, whoever made it")
    .option("--strict", "warnings block")
    .option("--out <dir>", "write the artifacts there instead of into the state directory")
    .option(reportOption.flags, reportOption.description, reportOption.collect)
    .option("--quiet", "no progress")
    .option("--json", "print one JSON object")
    .addHelpText("after", help)
    .action(async (options: CiOptions) => {
      exit.code = await runCi(terminal, options);
    });
}
