import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Command } from "commander";
import { contractJsonSchema, parseContractJson, parseContractValue, type Issue } from "../../../core/contract/index.ts";
import { TrueupError } from "../../../errors.ts";
import { escapeTerminal, logJson } from "../../../reporters/index.ts";
import { createHeldOutStore } from "../build-ports.ts";
import { parseContractText } from "../read-contract.ts";
import { readInput, readInputBytes } from "../read-input.ts";
import { writeLine, type Terminal } from "../terminal.ts";
import type { ExitSlot } from "../run-cli.ts";
import { registerContractDraft } from "./contract-draft.ts";
import { registerContractLint } from "./contract-lint.ts";

/** `trueup contract check|lint|draft|add-held-out|schema`. */
export function registerContract(program: Command, terminal: Terminal, exit: ExitSlot): void {
  const contract = program
    .command("contract")
    .description("Check, lint or draft an acceptance contract, add a held-out test, or print the schema.");
  contract
    .command("check")
    .description("Parse a contract: JSON, or Markdown with one `acceptance` block. Exit 0 valid, 2 invalid.")
    .argument("<file>", "a .json file, or any text with the block")
    .option("--json", "print the result as JSON")
    .action(async (file: string, options: { json?: boolean }) => {
      exit.code = await checkContract(terminal, file, options.json === true);
    });
  registerContractLint(contract, terminal, exit);
  registerContractDraft(contract, terminal, exit);
  registerAddHeldOut(contract, terminal);
  contract
    .command("schema")
    .description("Print the JSON Schema of the contract.")
    .action(async () => {
      await writeLine(terminal.stdout, JSON.stringify(contractJsonSchema(), null, 2));
    });
}

interface AddHeldOutOptions {
  readonly command: string;
  readonly passed: string;
  readonly path?: string;
  readonly cwd?: string;
  readonly contract?: string;
  readonly json?: boolean;
}

function registerAddHeldOut(contract: Command, terminal: Terminal): void {
  contract
    .command("add-held-out")
    .description(
      "Keep a test that the agent never sees, outside every repository, and print or add its contract entry.",
    )
    .argument("<file>", "the test, or a plain script")
    .requiredOption("--command <words>", "how it is run, from the repository's root or --cwd")
    .option("--passed <n>", "how many of its tests pass on a correct result; 1 for a plain script", "1")
    .option("--path <path>", "where in the repository it is put for the run (default: <file> as written)")
    .option("--cwd <path>", "the directory the command runs in")
    .option("--contract <file>", "a JSON contract to add the entry to")
    .option("--json", "print the entry as JSON alone")
    .addHelpText("after", heldOutHelp)
    .action(async (file: string, options: AddHeldOutOptions) => addHeldOut(terminal, file, options));
}

const heldOutHelp = `
The file is kept in the state directory of this machine; agents see neither it nor its entry. At least one held-out test
may be a plain script (\`--command "node check.mjs"\`): code can behave only under a test runner's variables.

  trueup contract add-held-out slug.hidden.test.ts --path test/slug.hidden.test.ts \\
    --command "npx vitest run test/slug.hidden.test.ts" --passed 3 --contract contract.json`;

async function addHeldOut(terminal: Terminal, file: string, options: AddHeldOutOptions): Promise<void> {
  const bytes = await readInputBytes(terminal, file);
  const entry = {
    path: options.path ?? file,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    command: options.command,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    passed: Number(options.passed),
  };
  // What cannot be a contract is refused before anything is kept.
  const grown = options.contract === undefined ? null : await growContract(terminal, options.contract, entry);
  if (grown === null) validContract({ held_out_tests: [entry] }, file);
  await (await createHeldOutStore(terminal)).keep(bytes);
  if (grown !== null) await writeFile(path.resolve(terminal.cwd, options.contract ?? ""), grown);
  if (options.json === true) return writeLine(terminal.stdout, logJson(entry));
  await writeLine(terminal.stdout, `kept ${escapeTerminal(file)}, ${bytes.length} bytes, sha256 ${entry.sha256}`);
  const where = options.contract === undefined ? "put this into the contract's held_out_tests" : options.contract;
  await writeLine(terminal.stdout, `${escapeTerminal(where)}: ${logJson(entry)}`);
}

/** The text of a JSON contract with one more entry. */
async function growContract(terminal: Terminal, file: string, entry: object): Promise<string> {
  const text = await readInput(terminal, file);
  const parsed = parseContractJson(text);
  if (!parsed.ok) throw invalidContract(file, parsed.issues);
  const held = [...(parsed.contract.held_out_tests ?? []), entry];
  return `${JSON.stringify(validContract({ ...parsed.contract, held_out_tests: held }, file), null, 2)}\n`;
}

function validContract(value: object, subject: string): object {
  const parsed = parseContractValue(value);
  if (!parsed.ok) throw invalidContract(subject, parsed.issues);
  return value;
}

function invalidContract(subject: string, issues: readonly Issue[]): TrueupError {
  const [first] = issues;
  return new TrueupError("contract-invalid", { subject, detail: `${first?.key ?? ""}: ${first?.reason ?? ""}` });
}

async function checkContract(terminal: Terminal, file: string, json: boolean): Promise<number> {
  const parsed = parseContractText(await readInput(terminal, file), file);
  if (json) {
    const result = parsed.ok ? { valid: true, digest: parsed.digest } : { valid: false, issues: parsed.issues };
    await writeLine(terminal.stdout, logJson(result));
  } else if (parsed.ok) {
    await writeLine(terminal.stdout, `${file}: valid, ${parsed.digest}`);
  } else {
    const subject = escapeTerminal(file);
    await writeLine(terminal.stderr, `trueup: The acceptance contract is not valid: ${subject} [contract-invalid]`);
    for (const issue of parsed.issues)
      await writeLine(
        terminal.stderr,
        escapeTerminal(`  ${issue.key === "" ? "contract" : issue.key}: ${issue.reason}`),
      );
    await writeLine(terminal.stderr, "  `trueup contract schema` prints every key and its meaning.");
  }
  return parsed.ok ? 0 : 2;
}
