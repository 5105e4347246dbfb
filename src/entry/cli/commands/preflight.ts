import type { Command } from "commander";
import { preflight } from "../../../app/preflight/preflight.ts";
import type { FitReport } from "../../../core/fit/index.ts";
import { logJson, renderFit } from "../../../reporters/index.ts";
import { createPreflightPorts } from "../build-ports.ts";
import { parseContractOrThrow, readContractFile } from "../read-contract.ts";
import { readRepositoryAddress, repositoryUrl } from "../repository-url.ts";
import type { ExitSlot } from "../run-cli.ts";
import { writeLine, type Terminal } from "../terminal.ts";
import { trimCache } from "../trim-cache.ts";

interface PreflightOptions {
  readonly contract?: string;
  readonly base?: string;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

const help = `
Clones, finds the programs, installs from the committed lockfile and tests the untouched base, as a delivery would,
without an agent and without writing anything that others see. Every reason against comes with what would mend it.

  trueup preflight .
  trueup preflight owner/name --contract contract.json
  trueup preflight https://forge.example/owner/name.git --base v2 --json

Without --contract the standing contract .trueup/contract.json of the base is used, else one that is guessed from
the manifest: a delivery never guesses.

Exit codes: 0 fit, 1 no fit, 2 usage, configuration or environment, 3 it could not be found out, 130 interrupted.`;

/** `trueup preflight REPO`: whether a repository can be worked on here, and if not why. */
export function registerPreflight(program: Command, terminal: Terminal, exit: ExitSlot): void {
  program
    .command("preflight")
    .description("Say whether a repository can be delivered to from this machine, and what would mend it.")
    .argument("<repository>", "a path, owner/name, or an https or ssh address")
    .option("--contract <file>", "the acceptance contract: JSON, or Markdown with the block")
    .option("--base <rev>", "the revision to look at (default: the remote's HEAD)")
    .option("--quiet", "no progress")
    .option("--json", "print one JSON object")
    .addHelpText("after", help)
    .action(async (repository: string, options: PreflightOptions) => {
      exit.code = await runPreflight(terminal, repository, options);
    });
}

const exits: Readonly<Record<FitReport["outcome"], number>> = { fit: 0, "no-fit": 1, undetermined: 3 };

async function runPreflight(terminal: Terminal, repository: string, options: PreflightOptions): Promise<number> {
  const url = repositoryUrl(terminal, repository, readRepositoryAddress(repository));
  const contract = options.contract === undefined ? null : await readContractFile(terminal, options.contract);
  const ports = await createPreflightPorts(terminal, { quiet: options.quiet === true || options.json === true });
  const report = await preflight(
    {
      url,
      ref: options.base ?? null,
      contract,
      parseStandingContract: (text) => parseContractOrThrow(text, ".trueup/contract.json"),
      now: () => performance.now(),
      signal: terminal.signal,
    },
    ports,
  );
  await trimCache(terminal);
  await writeLine(terminal.stdout, options.json === true ? logJson(report) : renderFit(report).trimEnd());
  return exits[report.outcome];
}
