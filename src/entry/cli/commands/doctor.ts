import type { Command } from "commander";
import type { IsolationFeature } from "../../../core/facts/index.ts";
import type { DoctorLine } from "../../../ports/index.ts";
import { logJson } from "../../../reporters/index.ts";
import { TrueupError } from "../../../errors.ts";
import { createGit, createSandbox } from "../build-ports.ts";
import { writeLine, type Terminal } from "../terminal.ts";
import type { ExitSlot } from "../run-cli.ts";

/** `trueup doctor`: what this machine can do, and the line that mends what it cannot. */
export function registerDoctor(program: Command, terminal: Terminal, exit: ExitSlot): void {
  program
    .command("doctor")
    .description("Attack the sandbox from inside and say what held, what is missing, and how to mend it.")
    .option("--json", "print the result as JSON")
    .action(async (options: { json?: boolean }) => {
      exit.code = await doctor(terminal, options.json === true);
    });
}

async function doctor(terminal: Terminal, json: boolean): Promise<number> {
  const sandbox = await createSandbox(terminal);
  const probed = await sandbox.probe();
  const lines = [await gitLine(terminal), ...probed.lines];
  const usable = probed.usable && lines.every((line) => line.state !== "missing");
  if (json) {
    await writeLine(terminal.stdout, logJson({ usable, lines, isolation: probed.report }));
    return usable ? 0 : 2;
  }
  const features = new Map(probed.report.features.map((feature) => [feature.name, feature]));
  for (const line of lines) await printLine(terminal, line, features.get(line.name) ?? null);
  await writeLine(
    terminal.stdout,
    usable ? "This machine can deliver and check." : "This machine cannot deliver or check yet: see the lines above.",
  );
  return usable ? 0 : 2;
}

async function printLine(terminal: Terminal, line: DoctorLine, feature: IsolationFeature | null): Promise<void> {
  const mark = { ok: "✓", missing: "✗", limited: "!" }[line.state];
  const detail = feature === null ? line.detail : `${feature.state} (${feature.detail})`;
  await writeLine(terminal.stdout, `${mark} ${line.name}: ${detail}`);
  if (line.fix !== null) await writeLine(terminal.stdout, `    type: ${line.fix}`);
}

async function gitLine(terminal: Terminal): Promise<DoctorLine> {
  try {
    const git = await createGit(terminal);
    return { name: "git", state: "ok", detail: await git.version(), fix: null };
  } catch (error) {
    if (!(error instanceof TrueupError)) throw error;
    return { name: "git", state: "missing", detail: error.message, fix: "apt-get install git" };
  }
}
