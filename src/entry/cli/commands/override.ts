import type { Command } from "commander";
import { overrideDays } from "../../../core/override/index.ts";
import type { ExitSlot } from "../run-cli.ts";
import type { Terminal } from "../terminal.ts";
import { addOverrideHere, type AddOptions } from "./override-add.ts";
import { listOverridesHere, verifyOverridesHere, type VerifyOptions } from "./override-look.ts";

const help = `
An override lets a change pass although one finding stands, and says who took that on. It is a signed file
in .trueup/overrides/, for exactly one finding of exactly one change; any later edit ends it. Who may sign
stands in .trueup/allowed_signers of the base revision. docs/overrides.md says how to set it up.`;

const addHelp = `
Reads the finding from the artifacts of the last \`trueup check\` of this machine, or from --artifacts. Wants a
terminal, and the finding's code typed; agents and CI jobs are refused. Commit the file it writes with the change.

  trueup check --contract contract.json
  trueup override add outside-scope docs/notes.md --reason "typo in passing" --key ~/.ssh/id_ed25519`;

/** `trueup override add|list|verify`: a person takes a finding on. */
export function registerOverride(program: Command, terminal: Terminal, exit: ExitSlot): void {
  const override = program
    .command("override")
    .description("Take one finding on, signed, as a person; list and check such rows.")
    .addHelpText("after", help);
  override
    .command("add")
    .description("Sign one finding of the judged change and add the row to the work tree.")
    .argument("<code>", "the finding's code, as the report prints it")
    .argument("[subject]", "its subject, where the code was found more than once")
    .requiredOption("--reason <text>", "why; stands in every report")
    .requiredOption("--key <file>", "your private SSH key (or a .pub whose key your agent holds)")
    .option("--user <name>", "your name in allowed_signers (default: the one of the key)")
    .option("--days <n>", "how long it holds", String(overrideDays))
    .option("--artifacts <dir>", "the artifacts that check printed")
    .option("--json", "print one JSON object")
    .addHelpText("after", addHelp)
    .action(async (code: string, subject: string | undefined, options: AddOptions) => {
      await addOverrideHere(terminal, { ...options, code, subject: subject ?? null });
    });
  override
    .command("list")
    .description("List the rows of this work tree, with who, why and until when. Checks no signature.")
    .option("--json", "print one JSON object")
    .action(async (options: { readonly json?: boolean }) => {
      await listOverridesHere(terminal, options.json === true);
    });
  override
    .command("verify")
    .description("Check the rows that this change adds. Exit 0 all hold, 1 one does not, 3 there is none.")
    .option("--base <rev>", "what the change is judged against (default: as `trueup check`)")
    .option("--contract <file>", "the contract (default: the standing contract of base)")
    .option("--json", "print one JSON object")
    .action(async (options: VerifyOptions) => {
      exit.code = await verifyOverridesHere(terminal, options);
    });
}
