import type { Command } from "commander";
import { recoverInterrupted } from "../../../app/run-command-line/recover-interrupted.ts";
import type { RunPorts } from "../../../app/run-command-line/run-command-line.ts";
import type { CommandRecord } from "../../../core/record/index.ts";
import { TrueupError } from "../../../errors.ts";
import { escapeTerminal, logJson, renderRecord, renderRecordLine, renderRecordList } from "../../../reporters/index.ts";
import { createRunPorts, findSession, openSessionStore } from "../../run/session-ports.ts";
import { followLog } from "../follow-log.ts";
import type { ExitSlot } from "../run-cli.ts";
import { wantsColor, writeLine, type Terminal } from "../terminal.ts";

interface LogOptions {
  readonly all?: boolean;
  readonly failed?: boolean;
  readonly follow?: boolean;
  readonly json?: boolean;
  readonly n: string;
}

const help = `
The newest records, oldest first; a retry stands under what it retries, and the latest failure is marked.
With ID, everything of one record; the beginning of an id is enough. --json prints one record a line.`;

/** `trueup log`: the records of this work tree's session, for people. The gate reads all of them by itself. */
export function registerLog(program: Command, terminal: Terminal, exit: ExitSlot): void {
  program
    .command("log")
    .description("List the session's command records, show one, or follow them.")
    .argument("[id]", "a record, or the beginning of its id")
    .option("--all", "every record, and every fault of the log")
    .option("--failed", "only those that did not exit 0")
    .option("--follow", "print new records as they are written, until Ctrl-C")
    .option("-n <count>", "how many", "20")
    .option("--json", "print records as JSON, one a line")
    .addHelpText("after", help)
    .action(async (id: string | undefined, options: LogOptions) => {
      exit.code = await log(terminal, id ?? null, options);
    });
}

async function log(terminal: Terminal, id: string | null, options: LogOptions): Promise<number> {
  const count = /^[1-9]\d{0,5}$/u.test(options.n) ? Number(options.n) : null;
  if (count === null) throw new TrueupError("usage", { detail: "-n takes a number from 1 to 999999" });
  const sessions = openSessionStore(terminal.env);
  const session = await findSession(sessions, terminal.cwd, terminal.env);
  const ports = createRunPorts(sessions, session);
  await recoverInterrupted(ports);
  if (id !== null) return showOne(terminal, await findRecord(ports, id), options.json === true);
  const records = await readRecords(terminal, ports, { ...options, count });
  await printRecords(terminal, records, options.json === true);
  if (options.follow !== true) return 0;
  await followLog({
    log: ports.log,
    last: (await ports.log.readNewest(1)).at(-1)?.digest ?? null,
    signal: terminal.signal,
    isRead: () => terminal.stdout.writable,
    print: (record) => {
      if (options.failed === true && record.exit_code === 0) return Promise.resolve();
      return writeLine(terminal.stdout, options.json === true ? logJson(record) : renderRecordLine(record));
    },
  });
  return 0;
}

async function readRecords(
  terminal: Terminal,
  { log: records }: RunPorts,
  options: LogOptions & { readonly count: number },
): Promise<readonly CommandRecord[]> {
  const wanted = (record: CommandRecord): boolean => options.failed !== true || record.exit_code !== 0;
  if (options.all !== true && options.failed !== true) return records.readNewest(options.count);
  const reading = await records.readAll();
  for (const { kind, detail } of reading.faults)
    await writeLine(terminal.stderr, escapeTerminal(`trueup: the log cannot be believed: ${kind} (${detail})`));
  const chosen = reading.records.filter(wanted);
  return options.all === true ? chosen : chosen.slice(-options.count);
}

async function printRecords(terminal: Terminal, records: readonly CommandRecord[], json: boolean): Promise<void> {
  const color = wantsColor(terminal, terminal.stdout);
  const highlight = (line: string): string => (color ? `\u001B[1;31m${line}\u001B[0m` : line);
  const lines = json ? records.map(logJson) : renderRecordList(records, { highlight });
  if (lines.length === 0 && !json) await writeLine(terminal.stdout, "No records.");
  for (const line of lines) await writeLine(terminal.stdout, line);
}

async function findRecord({ log: records }: RunPorts, id: string): Promise<CommandRecord> {
  const found = (await records.readAll()).records.filter((record) => record.command_id.startsWith(id));
  const [first, second] = found;
  if (first === undefined) throw new TrueupError("record-missing", { subject: id });
  if (second !== undefined && second.command_id !== first.command_id)
    throw new TrueupError("record-missing", { subject: id, detail: `${found.length} records begin so` });
  return first;
}

async function showOne(terminal: Terminal, record: CommandRecord, json: boolean): Promise<number> {
  const lines = json ? [logJson(record)] : renderRecord(record);
  for (const line of lines) await writeLine(terminal.stdout, line);
  return 0;
}
