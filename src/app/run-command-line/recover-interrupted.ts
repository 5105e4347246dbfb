import type { CommandRecord } from "../../core/record/index.ts";
import type { ProcessRunner, RecordLog, StartedRuns } from "../../ports/index.ts";

export interface RecoverPorts {
  readonly log: RecordLog;
  readonly started: StartedRuns;
  readonly runner: ProcessRunner;
}

/**
 * Gives every command whose runner died its record, with no exit code, and ends what is left of it. To be called before
 * a log is judged or added to; returns the records it made.
 */
export async function recoverInterrupted(ports: RecoverPorts): Promise<readonly CommandRecord[]> {
  const orphans = await ports.started.takeOrphans();
  if (orphans.length === 0) return [];
  const { records } = await ports.log.readAll();
  const known = new Set(records.map((record) => record.command_id));
  const made: CommandRecord[] = [];
  for (const draft of orphans) {
    await ports.runner.endLeftovers(draft.command_id);
    // The runner may have died between its record and the end of its reservation.
    if (!known.has(draft.command_id)) made.push(await ports.log.append(draft));
    await ports.started.settle(draft.command_id);
  }
  return made;
}
