import type { Command } from "commander";
import { recoverInterrupted } from "../../../app/run-command-line/recover-interrupted.ts";
import type { RunPorts } from "../../../app/run-command-line/run-command-line.ts";
import type { CommandRecord, LogReading } from "../../../core/record/index.ts";
import { escapeTerminal, latestFailure, logJson, renderRecordLine } from "../../../reporters/index.ts";
import type { Session } from "../../../ports/index.ts";
import { createRunPorts, findSession, openSessionStore } from "../../run/session-ports.ts";
import type { ExitSlot } from "../run-cli.ts";
import { writeLine, type Terminal } from "../terminal.ts";

/** `trueup status`: the open session, what it pinned, and how its commands stand. */
export function registerStatus(program: Command, terminal: Terminal, exit: ExitSlot): void {
  program
    .command("status")
    .description("Show this work tree's session: base, contract, number of records, the latest failure.")
    .option("--json", "print one JSON object")
    .action(async (options: { json?: boolean }) => {
      const sessions = openSessionStore(terminal.env);
      const session = await findSession(sessions, terminal.cwd, terminal.env);
      const state = await readState(session, createRunPorts(sessions, session));
      await (options.json === true ? printJson(terminal, state) : printText(terminal, state));
      exit.code = 0;
    });
}

interface State {
  readonly session: Session;
  readonly reading: LogReading;
  readonly running: Awaited<ReturnType<RunPorts["started"]["running"]>>;
  readonly failure: CommandRecord | null;
}

async function readState(session: Session, ports: RunPorts): Promise<State> {
  await recoverInterrupted(ports);
  const reading = await ports.log.readAll();
  return { session, reading, running: await ports.started.running(), failure: latestFailure(reading.records) };
}

async function printJson(terminal: Terminal, { session, reading, running, failure }: State): Promise<void> {
  const { id, work_tree, base, contract_digest, policy, started_at } = session;
  const { records, faults, anchored } = reading;
  const log = { records: records.length, anchored, faults, latest_failure: failure };
  const now = running.map(({ draft }) => ({ command_id: draft.command_id, role: draft.role, argv: draft.argv }));
  await writeLine(
    terminal.stdout,
    logJson({ id, work_tree, base, contract_digest, policy, started_at, ...log, running: now }),
  );
}

async function printText(terminal: Terminal, { session, reading, running, failure }: State): Promise<void> {
  const { records, faults, anchored } = reading;
  const lines = [
    `Session ${session.id}, since ${session.started_at}`,
    `  work tree  ${session.work_tree}`,
    `  base       ${session.base.commit} (${session.base.source})`,
    `  contract   ${session.contract_digest ?? "none"}`,
    `  records    ${records.length}${anchored ? "" : ", not anchored"}`,
    ...faults.map((fault) => `  log fault  ${fault.kind}: ${fault.detail}`),
    ...running.map(({ draft }) => `  running    ${draft.command_id}  ${draft.role}  ${draft.argv.join(" ")}`),
    `  latest failure  ${failure === null ? "none" : renderRecordLine(failure)}`,
  ];
  for (const line of lines) await writeLine(terminal.stdout, escapeTerminal(line));
}
