import type { Command } from "commander";
import {
  contractJsonSchema,
  parseContractJson,
  parseContractMarkdown,
  type ContractResult,
} from "../../../core/contract/index.ts";
import { escapeTerminal, logJson } from "../../../reporters/index.ts";
import { readInput } from "../read-input.ts";
import { writeLine, type Terminal } from "../terminal.ts";
import type { ExitSlot } from "../run-cli.ts";

/** `trueup contract check|schema`. */
export function registerContract(program: Command, terminal: Terminal, exit: ExitSlot): void {
  const contract = program.command("contract").description("Check an acceptance contract, or print its schema.");
  contract
    .command("check")
    .description("Parse a contract: JSON, or Markdown with one `acceptance` block. Exit 0 valid, 2 invalid.")
    .argument("<file>", "a .json file, or any text with the block")
    .option("--json", "print the result as JSON")
    .action(async (file: string, options: { json?: boolean }) => {
      exit.code = await checkContract(terminal, file, options.json === true);
    });
  contract
    .command("schema")
    .description("Print the JSON Schema of the contract.")
    .action(async () => {
      await writeLine(terminal.stdout, JSON.stringify(contractJsonSchema(), null, 2));
    });
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

/** JSON when the name or the first character says so, else Markdown. */
export function parseContractText(text: string, file: string): ContractResult {
  return file.endsWith(".json") || /^\s*[{[]/u.test(text) ? parseContractJson(text) : parseContractMarkdown(text);
}
