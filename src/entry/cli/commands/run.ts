import type { Command } from "commander";
import { runEntry } from "../../run/run-entry.ts";
import type { ExitSlot } from "../run-cli.ts";
import type { Terminal } from "../terminal.ts";

/** `trueup run` in the list of commands. The published program starts its entry (`entry/run`) without this command line. */
export function registerRun(program: Command, terminal: Terminal, exit: ExitSlot): void {
  program
    .command("run")
    .description("Run one command and leave one record of it: trueup run [options] -- COMMAND [ARGUMENT...]")
    .helpOption(false)
    .allowUnknownOption()
    .argument("[words...]")
    .action(async () => {
      // The words as they were typed: ours and the command's are told apart by its own parser.
      const words = rawWords(program).slice(1);
      exit.code = await runEntry(words, {
        stdout: terminal.stdout,
        stderr: terminal.stderr,
        environment: terminal.env,
      });
    });
}

/** Commander keeps what it was given, but does not say so in its types. */
function rawWords(program: Command): readonly string[] {
  return "rawArgs" in program && Array.isArray(program.rawArgs) ? (program.rawArgs as string[]) : [];
}
