import { randomUUID } from "node:crypto";
import type { Command } from "commander";
import { createHookFiles } from "../../../adapters/hook-files/disk/hook-files.ts";
import { createHookFirer } from "../../../adapters/hook-files/disk/hook-firer.ts";
import { probeLayers, type ProbedLayer } from "../../../app/install-hooks/probe-layers.ts";
import type { IsolationFeature } from "../../../core/facts/index.ts";
import type { DoctorLine } from "../../../ports/index.ts";
import { escapeTerminal, logJson } from "../../../reporters/index.ts";
import { TrueupError } from "../../../errors.ts";
import { createGit, createSandbox } from "../build-ports.ts";
import { writeLine, type Terminal } from "../terminal.ts";
import type { ExitSlot } from "../run-cli.ts";

/** `trueup doctor`: what this machine can do, and the line that mends what it cannot. */
export function registerDoctor(program: Command, terminal: Terminal, exit: ExitSlot): void {
  program
    .command("doctor")
    .description(
      "Attack the sandbox from inside, fire each installed layer, and say what held and how to mend what did not.",
    )
    .option("--json", "print the result as JSON")
    .action(async (options: { json?: boolean }) => {
      exit.code = await doctor(terminal, options.json === true);
    });
}

async function doctor(terminal: Terminal, json: boolean): Promise<number> {
  const sandbox = await createSandbox(terminal);
  const probed = await sandbox.probe();
  const lines = [await gitLine(terminal), ...probed.lines];
  const layers = await findLayers(terminal);
  const silent = (layers ?? []).some(({ state }) => state === "silent");
  const usable = probed.usable && lines.every((line) => line.state !== "missing");
  const code = usable && !silent ? 0 : 2;
  if (json) {
    await writeLine(terminal.stdout, logJson({ usable, lines, isolation: probed.report, layers }));
    return code;
  }
  const features = new Map(probed.report.features.map((feature) => [feature.name, feature]));
  for (const line of lines) await printLine(terminal, line, features.get(line.name) ?? null);
  for (const layer of layers ?? []) await writeLine(terminal.stdout, layerLine(layer));
  await writeLine(
    terminal.stdout,
    usable ? "This machine can deliver and check." : "This machine cannot deliver or check yet: see the lines above.",
  );
  return code;
}

/** Each layer of the repository that this is run in, fired once; null outside of one, or without git. */
async function findLayers(terminal: Terminal): Promise<readonly ProbedLayer[] | null> {
  const { env } = terminal;
  const ports = { files: createHookFiles({ environment: env }), firer: createHookFirer(env) };
  return probeLayers({ directory: terminal.cwd, env, nonce: randomUUID() }, ports).catch((error: unknown) => {
    const outside = ["not-a-repository", "git-missing"];
    if (error instanceof TrueupError && outside.includes(error.code)) return null;
    throw error;
  });
}

function layerLine({ layer, file, state }: ProbedLayer): string {
  const mark = { answered: "✓", silent: "✗", absent: "·" }[state];
  const words = {
    answered: "answers",
    silent: "is installed and does not answer: nothing is judged there",
    absent: "is not installed",
  }[state];
  const fix = { answered: "", silent: "\n    type: trueup hook install", absent: "" }[state];
  return `${mark} layer ${layer}: ${words} (${escapeTerminal(file)})${fix}`;
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
