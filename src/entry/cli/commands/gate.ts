import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { Command } from "commander";
import { regate } from "../../../app/gate-artifacts/regate.ts";
import { TrueupError } from "../../../errors.ts";
import type { ExitSlot } from "../run-cli.ts";
import { writeLine, type Terminal } from "../terminal.ts";
import { exitCodeOfVerdict, printJudged } from "../verdict-output.ts";

/** `trueup gate ARTIFACTS`: the pure decision, again, over stored facts. */
export function registerGate(program: Command, terminal: Terminal, exit: ExitSlot): void {
  program
    .command("gate")
    .description("Decide again from stored artifacts: nothing is run, and the same artifacts give the same bytes.")
    .argument("<artifacts>", "the directory that deliver or check wrote")
    .option("--strict", "warnings block")
    .option("--json", "print the verdict as JSON")
    .action(async (directory: string, options: { strict?: boolean; json?: boolean }) => {
      exit.code = await gate(terminal, directory, options);
    });
}

async function gate(
  terminal: Terminal,
  directory: string,
  options: { strict?: boolean; json?: boolean },
): Promise<number> {
  const root = path.resolve(terminal.cwd, directory);
  const found = await stat(root).catch(() => null);
  if (found?.isDirectory() !== true)
    throw new TrueupError("artifacts-invalid", { subject: directory, detail: "it is not a directory" });
  const { judged, agrees } = await regate((name) => readArtifact(root, name), { strict: options.strict === true });
  await printJudged(terminal, judged, { json: options.json === true, extra: { stored_verdict_agrees: agrees } });
  if (agrees === true) return exitCodeOfVerdict(judged.verdict);
  const why =
    agrees === null
      ? "there is no verdict.json: the artifacts are not complete, and nothing pins these facts."
      : "verdict.json is not what the gate says about these facts: something was altered, or written by another version.";
  await writeLine(terminal.stderr, `trueup: ${why}`);
  return 3;
}

async function readArtifact(root: string, name: string): Promise<string | null> {
  try {
    return await readFile(path.join(root, name), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new TrueupError("artifacts-invalid", { subject: name, cause: error });
  }
}
