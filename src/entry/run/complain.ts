import type { Writable } from "node:stream";
import type { CommandRecord } from "../../core/record/record.ts";
import { TrueupError } from "../../errors.ts";
import { escapeTerminal } from "../../reporters/escape-terminal.ts";

const words: Readonly<Record<NonNullable<CommandRecord["error"]>["kind"], string>> = {
  "not-found": "the command was not found",
  "not-executable": "the command cannot be executed",
  spawn: "the command could not be started",
  timeout: "the command ran out of time",
  signal: "the command has no exit code",
  "output-lost": "output of the command was lost",
  "runner-fault": "the command cannot be believed",
};

/** Why a command has no exit code, for people; null when it has one. */
export function describeRecordError({ error, argv }: CommandRecord): string | null {
  return error === null ? null : `${words[error.kind]}: ${argv[0] ?? ""} (${error.detail})`;
}

/** One failure of ours, in the words of the error table; a bug keeps its stack. */
export function describeFailure(error: unknown): string {
  if (error instanceof TrueupError) return `${error.message} [${error.code}]\n  ${error.hint}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Says on stderr what the wrapper itself has to say; never anything else is mixed into a command's streams. */
export function complain(stderr: Writable, text: string): void {
  const [first = "", ...rest] = text.split("\n").map(escapeTerminal);
  stderr.write(`${[`trueup: ${first}`, ...rest].join("\n")}\n`);
}
