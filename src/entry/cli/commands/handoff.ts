import path from "node:path";
import type { Command } from "commander";
import { compareTree } from "../../../app/handoff/compare-tree.ts";
import { regate } from "../../../app/gate-artifacts/regate.ts";
import type { Judged } from "../../../app/gather/evaluate-change.ts";
import { makeHandoff } from "../../../core/handoff/index.ts";
import { TrueupError } from "../../../errors.ts";
import { logJson, renderHandoff } from "../../../reporters/index.ts";
import { createGit } from "../create-git.ts";
import { findLastCheck } from "../last-check.ts";
import { readArtifact } from "../read-artifact.ts";
import type { ExitSlot } from "../run-cli.ts";
import { exitCodeOfVerdict } from "../verdict-output.ts";
import { writeLine, type Terminal } from "../terminal.ts";

interface HandoffOptions {
  readonly unfinished?: boolean;
  readonly json?: boolean;
}

const help = `
Seven fields: asked, changed, verified, claimed, open, clean_state, next. All of it comes from a stored verdict and its
facts. Without one there is no handoff, and none of work that is not accepted unless it is asked for as --unfinished:
then the heading says so and the exit code is that of the verdict. Without ARTIFACTS the last check of this machine is
taken, and the work tree has to be what it judged.

  trueup check && trueup handoff > HANDOFF.md`;

/** `trueup handoff [ARTIFACTS]`: what the next one needs to know, from facts. */
export function registerHandoff(program: Command, terminal: Terminal, exit: ExitSlot): void {
  program
    .command("handoff")
    .description("Say what was asked, done, verified and is open, from a stored verdict; refused without one.")
    .argument("[artifacts]", "the directory that deliver, check or gate wrote (default: the last check)")
    .option("--unfinished", "also of work that is not accepted, and says so")
    .option("--json", "print one JSON object")
    .addHelpText("after", help)
    .action(async (directory: string | undefined, options: HandoffOptions) => {
      exit.code = await handoff(terminal, directory ?? null, options);
    });
}

async function handoff(terminal: Terminal, directory: string | null, options: HandoffOptions): Promise<number> {
  const judged = await readJudged(terminal, directory);
  const { verdict } = judged;
  const state =
    directory === null ? await compareTree(await createGit(terminal), terminal.cwd, verdict) : "not-compared";
  const unfinished = options.unfinished === true;
  if (verdict.outcome !== "passed" && !unfinished)
    throw new TrueupError("handoff-not-accepted", { subject: verdict.outcome });
  if (state === "moved" && !unfinished) throw new TrueupError("handoff-moved", { subject: terminal.cwd });
  const made = makeHandoff(judged, state);
  await writeLine(terminal.stdout, options.json === true ? logJson({ ...made }) : renderHandoff(made).trimEnd());
  const code = exitCodeOfVerdict(verdict);
  return code === 0 && state === "moved" ? 1 : code;
}

/** The decision made again from what was stored: a verdict that does not follow from its facts is none. */
async function readJudged(terminal: Terminal, directory: string | null): Promise<Judged> {
  const found = directory === null ? await findLastCheck(terminal) : path.resolve(terminal.cwd, directory);
  if (found === null) throw new TrueupError("handoff-without-verdict", { detail: "no check was kept on this machine" });
  const read = (name: string): Promise<string | null> => readArtifact(found, name);
  if ((await read("facts.json")) === null || (await read("verdict.json")) === null)
    throw new TrueupError("handoff-without-verdict", { subject: found });
  const { judged, agrees } = await regate(read, { strict: false });
  if (agrees === true) return judged;
  throw new TrueupError("artifacts-damaged", { subject: "verdict.json", detail: "it does not follow from the facts" });
}
