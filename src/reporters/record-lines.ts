import { retryChains, type CommandRecord, type RecordedStream } from "../core/record/index.ts";
import { escapeTerminal } from "./escape-terminal.ts";

/** The newest record that did not exit 0, by when it was written; null when there is none. Records are oldest first. */
export function latestFailure(records: readonly CommandRecord[]): CommandRecord | null {
  return records.findLast((record) => record.exit_code !== 0) ?? null;
}

/** One record on one line: when, how it ended, how long, what. */
export function renderRecordLine(record: CommandRecord): string {
  const { command_id, started_at, duration_ms, argv, matches, role } = record;
  const notes = [
    ...(role === "iteration" ? [] : [role]),
    ...matches,
    ...(changedTree(record) ? ["changed the tree"] : []),
    ...(record.parent_command_id === null ? [] : [`retries ${record.parent_command_id}`]),
  ];
  const noted = notes.length === 0 ? "" : `  (${notes.join(", ")})`;
  const words = argv.map(quoteWord).join(" ");
  return escapeTerminal(`${command_id}  ${started_at}  ${exitText(record)}  ${seconds(duration_ms)}  ${words}${noted}`);
}

/** How a list is printed: `mark` is put in front of the latest failure, so that it stands out without colour too. */
export interface ListOptions {
  readonly highlight: (line: string) => string;
}

/**
 * Records as lines, oldest first; a retry stands under what it retries. The latest failure of the list is highlighted and
 * shows its last words.
 */
export function renderRecordList(records: readonly CommandRecord[], { highlight }: ListOptions): readonly string[] {
  const failure = latestFailure(records);
  return retryChains(records).flatMap((chain) =>
    chain.flatMap((record, index) => {
      const branch = index === 0 ? "" : index === chain.length - 1 ? "└─ " : "├─ ";
      const line = `${branch}${renderRecordLine(record)}`;
      if (record !== failure) return [`  ${line}`];
      return [highlight(`> ${line}`), ...lastWords(record).map((word) => `      | ${escapeTerminal(word)}`)];
    }),
  );
}

/** Everything of one record, for people. */
export function renderRecord(record: CommandRecord): readonly string[] {
  const rows: readonly (readonly [string, string | null])[] = [
    ["command", record.command_id],
    ["retries", record.parent_command_id],
    ["argv", JSON.stringify(record.argv)],
    ["cwd", record.cwd],
    ["matches", record.matches.length === 0 ? null : record.matches.join(", ")],
    ["expected", record.expectation],
    ["started", record.started_at],
    ["duration", seconds(record.duration_ms)],
    ["exit", exitText(record)],
    ["error", record.error === null ? null : `${record.error.kind}: ${record.error.detail}`],
    ["tree", `${record.tree_before ?? "unknown"} -> ${record.tree_after ?? "unknown"}`],
    ["changed the tree", changedTree(record) ? "yes" : null],
    ["actor", `${record.actor}, ${record.role}`],
    ["contract", record.contract_digest],
    ["digest", record.digest],
  ];
  return [
    ...rows.flatMap(([name, value]) => (value === null ? [] : [escapeTerminal(`${name.padEnd(16)} ${value}`)])),
    ...renderStream("stdout", record.stdout),
    ...renderStream("stderr", record.stderr),
  ];
}

/** How a command ended: its exit code, or why it has none. */
function exitText({ exit_code, error }: CommandRecord): string {
  if (error === null) return `exit ${String(exit_code)}`;
  return error.signal === null ? error.kind : `${error.kind} ${error.signal}`;
}

function changedTree({ tree_before, tree_after }: CommandRecord): boolean {
  return tree_before !== null && tree_after !== null && tree_before !== tree_after;
}

function renderStream(name: string, stream: RecordedStream): readonly string[] {
  const { head, tail, omitted_bytes, omitted_lines, redactions } = stream;
  if (head === "" && tail === "") return [`${name}: empty`];
  const secrets = redactions === 0 ? "" : `, ${redactions} redacted`;
  const gap = omitted_bytes === 0 ? [] : [`  ... ${omitted_lines} lines, ${omitted_bytes} bytes omitted ...`];
  return [`${name}:${secrets}`, ...linesOf(head), ...gap, ...linesOf(tail)];
}

function linesOf(text: string): readonly string[] {
  return text === ""
    ? []
    : text
        .replace(/\n$/u, "")
        .split("\n")
        .map((line) => `  ${escapeTerminal(line)}`);
}

/** The last three lines of stderr, else of stdout: where a command says why it failed. */
function lastWords({ stdout, stderr }: CommandRecord): readonly string[] {
  const text = [stderr, stdout].map((stream) => `${stream.head}${stream.tail}`.trimEnd()).find((one) => one !== "");
  return text === undefined ? [] : text.split("\n").slice(-3);
}

function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/u.test(word) ? word : JSON.stringify(word);
}

function seconds(ms: number): string {
  return ms < 10_000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}
