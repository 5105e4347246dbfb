import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Command } from "commander";
import { draftFromBase, type DraftResult } from "../../../app/advise-contract/draft-from-base.ts";
import { parseContractMarkdown, type AcceptanceContract } from "../../../core/contract/index.ts";
import { TrueupError } from "../../../errors.ts";
import { escapeTerminal, logJson } from "../../../reporters/index.ts";
import { createPreflightPorts } from "../build-ports.ts";
import { adviceRepository, readAdviceInput, type AdviceInput } from "../read-advice-input.ts";
import type { ExitSlot } from "../run-cli.ts";
import { writeLine, type Terminal } from "../terminal.ts";

interface DraftOptions {
  readonly repo?: string;
  readonly base?: string;
  readonly static?: boolean;
  readonly write?: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

const help = `
Files come from the words of the task, the test command from package.json, counts from a run of the untouched base.
Nothing is invented: what is only likely is printed as \`guess\`, what nothing says as \`open\`, both on stderr.
Read it before you use it; \`trueup contract lint\` says whether it makes sense.

  trueup contract draft task.md            # prints the contract
  trueup contract draft task.md --write    # puts it into the task, which has none yet
  trueup contract draft > contract.json    # for the repository you are in, without a task

Exit codes: 0 drafted, 2 usage, configuration or environment, 3 drafted without a count of base's tests, or nothing
to draft from.`;

/** `trueup contract draft [TASK]`: proposes a contract. */
export function registerContractDraft(contract: Command, terminal: Terminal, exit: ExitSlot): void {
  contract
    .command("draft")
    .description("Propose a contract from a task's words and a run of the repository's tests.")
    .argument("[task]", "a task, or any text that says what to do")
    .option("--repo <repository>", "a path, owner/name or address (default: the task's, else this one)")
    .option("--base <rev>", "the revision to start from (default: the task's, else the remote's HEAD)")
    .option("--static", "look at files only: no test is run, so none is counted")
    .option("--write", "put the contract into the task file")
    .option("--quiet", "no progress; guesses are still said")
    .option("--json", "print one JSON object: contract, notes, baseline")
    .addHelpText("after", help)
    .action(async (task: string | undefined, options: DraftOptions) => {
      exit.code = await draft(terminal, task ?? null, options);
    });
}

async function draft(terminal: Terminal, file: string | null, options: DraftOptions): Promise<number> {
  if (options.write === true && file === null)
    throw new TrueupError("usage", { detail: "--write needs a task to write into" });
  const input = file === null ? null : await readAdviceInput(terminal, file);
  if (input !== null && input.contract !== null)
    throw new TrueupError("usage", {
      subject: file ?? "",
      detail: "it has a contract already",
      hint: `\`trueup contract lint ${file ?? ""}\` says whether it makes sense.`,
    });
  const url = adviceRepository(terminal, input, options.repo);
  const ports = await createPreflightPorts(terminal, { quiet: options.quiet === true || options.json === true });
  const result = await draftFromBase(
    {
      text: input?.text ?? "",
      intent: input?.intent ?? null,
      target: {
        url,
        ref: options.base ?? input?.task?.base_ref ?? null,
        run: options.static !== true,
        now: () => performance.now(),
        signal: terminal.signal,
      },
    },
    ports,
  );
  await sayNotes(terminal, result);
  await printDraft(terminal, result, { file, input, options });
  const counted = options.static === true || result.baseline !== null;
  return result.contract !== null && counted && result.trouble.length === 0 ? 0 : 3;
}

async function sayNotes(terminal: Terminal, result: DraftResult): Promise<void> {
  const { baseline } = result;
  const lines = [
    ...(baseline === null ? [] : [`base: ${baseline.command}: ${baseline.passed} passed, ${baseline.failed} failed`]),
    ...result.trouble.map((text) => `not counted: ${text}`),
    ...result.notes.map((note) => `${note.kind}: ${note.key}: ${note.detail}`),
  ];
  for (const line of lines) await writeLine(terminal.stderr, `  ${escapeTerminal(line)}`);
}

interface DraftFile {
  readonly file: string | null;
  readonly input: AdviceInput | null;
  readonly options: DraftOptions;
}

async function printDraft(terminal: Terminal, result: DraftResult, to: DraftFile): Promise<void> {
  const { file, input, options } = to;
  const { contract, notes, base, baseline, trouble } = result;
  if (options.json === true)
    await writeLine(terminal.stdout, logJson({ version: 1, contract, notes, base, baseline, trouble }));
  if (contract === null) {
    await writeLine(terminal.stderr, "  nothing to draft from: no file is named, and nothing says how tests are run");
    return;
  }
  if (options.write === true && file !== null && input !== null) {
    await writeFile(path.resolve(terminal.cwd, file), withContract(input, contract, file));
    if (options.json !== true)
      await writeLine(terminal.stdout, `${escapeTerminal(file)}: contract added; read it before you use it`);
  } else if (options.json !== true) await writeLine(terminal.stdout, JSON.stringify(contract, null, 2));
}

/** The task's text with its contract; all that was there stays, byte for byte. */
function withContract(input: AdviceInput, contract: AcceptanceContract, file: string): string {
  if (input.kind === "task-json")
    return `${JSON.stringify({ ...(JSON.parse(input.source) as object), contract }, null, 2)}\n`;
  const gap = input.source.endsWith("\n") ? "\n" : "\n\n";
  const text = `${input.source}${gap}\`\`\`acceptance\n${JSON.stringify(contract, null, 2)}\n\`\`\`\n`;
  if (parseContractMarkdown(text).ok) return text;
  throw new TrueupError("task-invalid", {
    subject: file,
    detail: "the text ends inside a code block or a comment, so a block behind it is none",
    hint: "Close it, and run the same command again.",
  });
}
