import { Command, CommanderError } from "commander";
import { TrueupError } from "../../errors.ts";
import { registerCache } from "./commands/cache.ts";
import { registerCheck } from "./commands/check.ts";
import { registerCi } from "./commands/ci.ts";
import { registerConfig } from "./commands/config.ts";
import { registerContract } from "./commands/contract.ts";
import { registerDeliver } from "./commands/deliver.ts";
import { registerDemo } from "./commands/demo.ts";
import { registerDoctor } from "./commands/doctor.ts";
import { registerGate } from "./commands/gate.ts";
import { registerInit } from "./commands/init.ts";
import { registerHandoff } from "./commands/handoff.ts";
import { registerHook } from "./commands/hook.ts";
import { registerLog } from "./commands/log.ts";
import { registerPreflight } from "./commands/preflight.ts";
import { registerOverride } from "./commands/override.ts";
import { registerRun } from "./commands/run.ts";
import { registerStart } from "./commands/start.ts";
import { registerStatus } from "./commands/status.ts";
import { registerTestReport } from "./commands/test-report.ts";
import { registerUninit } from "./commands/uninit.ts";
import { readPackageVersion } from "./package-version.ts";
import { printError } from "./print-error.ts";
import type { Terminal } from "./terminal.ts";

/** Where a command leaves its exit code. */
export interface ExitSlot {
  code: number;
}

const exitHelp = `
Exit codes of check, gate, deliver and preflight: 0 passed or fit, 1 blocked or no fit, 2 usage, configuration
or environment, 3 undetermined or unchecked, 130 interrupted.`;

/** Runs one command line and returns its exit code. Whatever goes wrong is said in the words of the table. */
export async function runCli(argv: readonly string[], terminal: Terminal): Promise<number> {
  const exit: ExitSlot = { code: 0 };
  const program = createProgram(terminal, exit);
  try {
    await program.parseAsync([...argv], { from: "user" });
    return exit.code;
  } catch (error) {
    // Help and version are answers; help that nobody asked for stands where a command should.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    return printError(terminal, fromAbort(terminal, error), argv.includes("--json"));
  }
}

/** After an interruption whatever failed, failed because of it: first cause wins. What says that something is damaged stays. */
function fromAbort(terminal: Terminal, error: unknown): unknown {
  if (!terminal.signal.aborted) return error;
  if (!(error instanceof TrueupError)) return new TrueupError("interrupted", { cause: error });
  if (error.category === "integrity" || error.category === "interrupted") return error;
  return new TrueupError("interrupted", { detail: error.message, cause: error });
}

function createProgram(terminal: Terminal, exit: ExitSlot): Command {
  const program = new Command("trueup")
    .description("Verifies what coding agents say they did: the facts decide, not the agent's account.")
    .version(readPackageVersion())
    .addHelpText("afterAll", exitHelp)
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      writeErr: (text) => void terminal.stderr.write(text),
      // Said once, by `printError`.
      outputError: () => undefined,
    });
  refuseWithHelp(program, "trueup");
  for (const register of [
    registerStart,
    registerRun,
    registerLog,
    registerStatus,
    registerPreflight,
    registerDeliver,
    registerCheck,
    registerCi,
    registerGate,
    registerContract,
    registerConfig,
    registerOverride,
    registerTestReport,
    registerHandoff,
    registerInit,
    registerUninit,
    registerHook,
    registerDoctor,
    registerCache,
    registerDemo,
  ]) {
    register(program, terminal, exit);
  }
  for (const command of program.commands) inherit(command, { parent: program, path: "trueup" });
  return program;
}

function inherit(command: Command, from: { readonly parent: Command; readonly path: string }): void {
  const path = `${from.path} ${command.name()}`;
  refuseWithHelp(command.copyInheritedSettings(from.parent), path);
  for (const child of command.commands) inherit(child, { parent: command, path });
}

/** A command line that does not fit its command is a usage error that names the help to read. */
function refuseWithHelp(command: Command, path: string): void {
  command.exitOverride((error) => {
    if (error.exitCode === 0 || error.code === "commander.help") throw error;
    const words = error.message.replace(/^error: /u, "").replace(/\n\(?/gu, " (");
    throw new TrueupError("usage", { subject: words, hint: `See \`${path} --help\`.`, cause: error });
  });
}
