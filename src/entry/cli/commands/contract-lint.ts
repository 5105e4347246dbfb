import type { Command } from "commander";
import { adviseContract, type Advice } from "../../../app/advise-contract/advise-contract.ts";
import { TrueupError } from "../../../errors.ts";
import { escapeTerminal, logJson } from "../../../reporters/index.ts";
import { createPreflightPorts } from "../build-ports.ts";
import { adviceRepository, readAdviceInput } from "../read-advice-input.ts";
import type { ExitSlot } from "../run-cli.ts";
import { writeLine, type Terminal } from "../terminal.ts";

interface LintOptions {
  readonly repo?: string;
  readonly base?: string;
  readonly static?: boolean;
  readonly strict?: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

const help = `
Looks for paths that match nothing, commands that come down to no runner, counts that the untouched base already
meets or can never reach, protected files that stay shut, scopes that are too wide, and tests that demand nothing new.
An error: no change can pass, or every one does. A warning: look at it.

  trueup contract lint task.md
  trueup contract lint contract.json --repo . --static

Exit codes: 0 no error, 1 errors (with --strict warnings too), 2 usage, configuration or environment,
3 the tests of base could not be run, so counts were not compared.`;

/** `trueup contract lint FILE`: whether a valid contract makes sense on a repository. */
export function registerContractLint(contract: Command, terminal: Terminal, exit: ExitSlot): void {
  contract
    .command("lint")
    .description("Say whether a valid contract makes sense on a repository; runs the tests of the untouched base.")
    .argument("<file>", "a task, a .json contract, or any text with the block")
    .option("--repo <repository>", "a path, owner/name or address (default: the task's, else this one)")
    .option("--base <rev>", "the revision it will be judged against (default: the task's, else the remote's HEAD)")
    .option("--static", "look at files only: no test is run, counts are not compared")
    .option("--strict", "warnings count as errors")
    .option("--quiet", "no progress")
    .option("--json", "print one JSON object")
    .addHelpText("after", help)
    .action(async (file: string, options: LintOptions) => {
      exit.code = await lint(terminal, file, options);
    });
}

async function lint(terminal: Terminal, file: string, options: LintOptions): Promise<number> {
  const input = await readAdviceInput(terminal, file);
  if (input.contract === null)
    throw new TrueupError("contract-missing", {
      subject: file,
      hint: `\`trueup contract draft ${file}\` proposes one; docs/contract.md explains every key.`,
    });
  const url = adviceRepository(terminal, input, options.repo);
  const ports = await createPreflightPorts(terminal, { quiet: options.quiet === true || options.json === true });
  const advice = await adviseContract(
    input.contract,
    {
      url,
      ref: options.base ?? input.task?.base_ref ?? null,
      run: options.static !== true,
      now: () => performance.now(),
      signal: terminal.signal,
    },
    ports,
  );
  const exit = exitOf(advice, options.strict === true);
  if (options.json === true)
    await writeLine(terminal.stdout, logJson({ version: 1, file, repository: url, ...advice }));
  else for (const line of adviceLines(advice, file)) await writeLine(terminal.stdout, escapeTerminal(line));
  return exit;
}

/** What could not be found out is never "nothing wrong". */
function exitOf({ flaws, baseline }: Advice, strict: boolean): number {
  if (flaws.some((one) => strict || one.severity === "error")) return 1;
  return baseline === "unknown" ? 3 : 0;
}

const counts: Readonly<Record<Advice["baseline"], string>> = {
  compared: "counts compared with the tests of base",
  "not-run": "counts not compared: no test was run",
  unknown: "counts not compared: the tests of base gave nothing to compare with",
};

function adviceLines({ base, flaws, baseline }: Advice, file: string): readonly string[] {
  const errors = flaws.filter((one) => one.severity === "error").length;
  const lines = flaws.flatMap((one) => [
    `${one.severity.padEnd(7)} ${one.key}  [${one.code}]`,
    `        ${one.detail}`,
  ]);
  const warnings = flaws.length - errors;
  const sum = `${errors} ${errors === 1 ? "error" : "errors"}, ${warnings} ${warnings === 1 ? "warning" : "warnings"}`;
  return [...lines, `${file} against ${base.ref} (${base.commit.slice(0, 12)}): ${sum}; ${counts[baseline]}.`];
}
