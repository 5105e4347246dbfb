import path from "node:path";
import type { NamedContract } from "../../app/gather/contract-in-force.ts";
import type { AcceptanceContract } from "../../core/contract/index.ts";
import { parseTaskFile, type Task } from "../../core/task/index.ts";
import { TrueupError } from "../../errors.ts";
import { findAcceptanceFence } from "../../core/contract/index.ts";
import { parseContractOrThrow } from "./read-contract.ts";
import { readInput } from "./read-input.ts";
import { readRepositoryAddress, repositoryUrl } from "./repository-url.ts";
import type { Terminal } from "./terminal.ts";

/** A file that holds a contract, or a task that wants one. */
export interface AdviceInput {
  readonly kind: "task-markdown" | "task-json" | "markdown" | "contract";
  /** The file as it is. */
  readonly source: string;
  /** The words that say what to do. */
  readonly text: string;
  readonly contract: NamedContract | null;
  readonly intent: AcceptanceContract["intent"] | null;
  readonly task: Task | null;
}

/** Reads a task, a Markdown text or a JSON contract by what it holds. Throws `task-invalid` and `contract-invalid` with key and reason. */
export async function readAdviceInput(terminal: Terminal, file: string): Promise<AdviceInput> {
  const source = await readInput(terminal, file);
  if (file.endsWith(".json") || /^\s*[{[]/u.test(source)) {
    if (isJsonTask(source)) return fromTask(source, file, "json");
    const contract = parseContractOrThrow(source, path.basename(file));
    return { kind: "contract", source, text: "", contract, intent: null, task: null };
  }
  if (source.startsWith("---")) return fromTask(source, file, "markdown");
  const fence = findAcceptanceFence(source);
  const bare = fence.ok && fence.fence === null;
  const contract = bare ? null : parseContractOrThrow(source, path.basename(file));
  return { kind: "markdown", source, text: source, contract, intent: null, task: null };
}

/** A task as JSON is told by keys that no contract has; what cannot be parsed is left to the contract's parser to say. */
function isJsonTask(source: string): boolean {
  try {
    const value: unknown = JSON.parse(source);
    return typeof value === "object" && value !== null && ("repo" in value || "prompt" in value);
  } catch {
    return false;
  }
}

function fromTask(source: string, file: string, kind: "json" | "markdown"): AdviceInput {
  const parsed = parseTaskFile(source, { kind });
  if (!parsed.ok) {
    const [first] = parsed.issues;
    throw new TrueupError("task-invalid", { subject: file, detail: `${first?.key ?? ""}: ${first?.reason ?? ""}` });
  }
  const { task } = parsed;
  const contract =
    task.contract === null || task.contract_digest === null
      ? null
      : { contract: task.contract, digest: task.contract_digest };
  const intent = task.intent === "behaviour" ? null : task.intent;
  return { kind: kind === "json" ? "task-json" : "task-markdown", source, text: task.body, contract, intent, task };
}

/** The repository a file is held against: `--repo`, else the task's own, else the one the command was typed in. */
export function adviceRepository(terminal: Terminal, input: AdviceInput | null, repo: string | undefined): string {
  if (repo !== undefined) return repositoryUrl(terminal, repo, readRepositoryAddress(repo, "--repo "));
  const task = input?.task ?? null;
  if (task !== null) return repositoryUrl(terminal, task.repo, task.address);
  return repositoryUrl(terminal, ".", readRepositoryAddress("."));
}
