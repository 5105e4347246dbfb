import path from "node:path";
import type { NamedContract } from "../../app/gather/contract-in-force.ts";
import { parseContractJson, parseContractMarkdown, type ContractResult } from "../../core/contract/index.ts";
import { parseTaskFile } from "../../core/task/index.ts";
import { TrueupError } from "../../errors.ts";
import { readInput } from "./read-input.ts";
import type { Terminal } from "./terminal.ts";

/** JSON when the name or the first character says so, else Markdown. */
export function parseContractText(text: string, file: string): ContractResult {
  return file.endsWith(".json") || /^\s*[{[]/u.test(text) ? parseContractJson(text) : parseContractMarkdown(text);
}

/** Parses a contract. Throws `contract-invalid` with the first key and reason. */
export function parseContractOrThrow(text: string, file: string): NamedContract {
  const parsed = parseContractText(text, file);
  if (parsed.ok) return { contract: parsed.contract, digest: parsed.digest };
  throw invalid("contract-invalid", file, parsed.issues);
}

/** Reads a contract that the user named. */
export async function readContractFile(terminal: Terminal, file: string): Promise<NamedContract> {
  return parseContractOrThrow(await readInput(terminal, file), path.basename(file));
}

/** Reads a task: its contract and its base. Text without front matter is read for its acceptance block alone. */
export async function readTaskFile(
  terminal: Terminal,
  file: string,
): Promise<{ readonly contract: NamedContract | null; readonly base: string | null }> {
  const text = await readInput(terminal, file);
  const json = file.endsWith(".json");
  if (!json && !text.startsWith("---"))
    return { contract: parseContractOrThrow(text, path.basename(file)), base: null };
  const parsed = parseTaskFile(text, { kind: json ? "json" : "markdown" });
  if (!parsed.ok) throw invalid("task-invalid", file, parsed.issues);
  const { contract, contract_digest, base_ref } = parsed.task;
  const pinned = contract === null || contract_digest === null ? null : { contract, digest: contract_digest };
  return { contract: pinned, base: base_ref };
}

function invalid(
  code: "contract-invalid" | "task-invalid",
  subject: string,
  issues: readonly { readonly key: string; readonly reason: string }[],
): TrueupError {
  const [first] = issues;
  return new TrueupError(code, {
    subject,
    ...(first === undefined ? {} : { detail: `${first.key}: ${first.reason}` }),
  });
}
