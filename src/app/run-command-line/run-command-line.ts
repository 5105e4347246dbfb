import type { CommandRecord, RecordDraft, RecordedStream, RedactionRules } from "../../core/record/index.ts";
import { createStreamExcerpt, redactText } from "../../core/record/index.ts";
import { TrueupError } from "../../errors.ts";
import type { Clock, Ids, OutputSink, RunningProcess, Session, TreeWatch } from "../../ports/index.ts";
import { childEnvironment } from "./child-environment.ts";
import { decideEnding, decideStartFailure, type Ending } from "./decide-ending.ts";
import { planRecord } from "./plan-record.ts";
import { recoverInterrupted, type RecoverPorts } from "./recover-interrupted.ts";

export interface RunPorts extends RecoverPorts {
  readonly watch: TreeWatch;
  readonly clock: Clock;
  readonly ids: Ids;
}

export interface RunRequest {
  readonly session: Session;
  /** The exact words, at least one. */
  readonly argv: readonly Uint8Array[];
  /** Absolute and real; bytes that are not UTF-8 as `\xHH`. The command runs where this process is. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly rules: RedactionRules;
  readonly expectation: string | null;
  readonly retryOf: string | null;
  /** Null: what the contract says of this command, else `defaultTimeoutMs`. */
  readonly timeoutMs: number | null;
  readonly defaultTimeoutMs: number | null;
  /** Null: `acceptance` when the contract names the command, else `iteration`. */
  readonly role: CommandRecord["role"] | null;
  /** Where the command's output goes; called before it starts. */
  readonly open: (commandId: string) => Readonly<Record<"stdout" | "stderr", OutputSink>>;
  /** Called once the command runs, so that signals reach it. */
  readonly onStarted?: (process: RunningProcess, commandId: string) => void;
  /** Aborted by a signal that came before the command started: then it never does. */
  readonly signal?: AbortSignal;
}

export interface RunOutcome {
  readonly record: CommandRecord;
  readonly exit: Ending["exit"];
}

interface Excerpts {
  readonly stdout: RecordedStream;
  readonly stderr: RecordedStream;
}

/**
 * Runs one command and leaves exactly one record, whatever happens. Before it starts the log was read, the record that
 * would stand if this process died is stored, and the room for the real one is taken; where that fails it never starts.
 */
export async function runCommandLine(request: RunRequest, ports: RunPorts): Promise<RunOutcome> {
  await recoverInterrupted(ports);
  await ports.log.checkEnd();
  const plan = await planRecord(request, ports);
  if (request.signal?.aborted === true) throw new TrueupError("interrupted");
  await ports.started.reserve(plan.draft);
  const began = ports.clock.monotonic();
  const { ending, excerpts } = await execute(request, ports, plan);
  const duration_ms = Math.max(0, Math.round(ports.clock.monotonic() - began));
  const { exit_code, error } = ending;
  const tree_after = await ports.watch.fingerprint();
  const words = error === null ? null : { ...error, detail: redactText(error.detail, request.rules) };
  const record = await append({ ...plan.draft, ...excerpts, duration_ms, exit_code, error: words, tree_after }, ports);
  return { record, exit: ending.exit };
}

async function execute(
  request: RunRequest,
  ports: RunPorts,
  { draft, timeoutMs }: { readonly draft: RecordDraft; readonly timeoutMs: number | null },
): Promise<{ ending: Ending; excerpts: Excerpts }> {
  const streams = { stdout: createStreamExcerpt(request.rules), stderr: createStreamExcerpt(request.rules) };
  const outputs = request.open(draft.command_id);
  const sinkOf = (name: "stdout" | "stderr"): OutputSink => ({
    write(chunk) {
      const answer = outputs[name].write(chunk);
      streams[name].push(chunk);
      return answer;
    },
  });
  const start = await ports.runner.start({
    argv: request.argv,
    environment: childEnvironment(request.environment),
    runId: draft.command_id,
    timeoutMs,
    stdout: sinkOf("stdout"),
    stderr: sinkOf("stderr"),
  });
  const ending =
    start.outcome === "failed"
      ? decideStartFailure(start.failure)
      : await supervise(start.process, { request, commandId: draft.command_id, timeoutMs });
  return { ending, excerpts: { stdout: streams.stdout.end(), stderr: streams.stderr.end() } };
}

async function supervise(
  running: RunningProcess,
  { request, commandId, timeoutMs }: { request: RunRequest; commandId: string; timeoutMs: number | null },
): Promise<Ending> {
  request.onStarted?.(running, commandId);
  return decideEnding(await running.ended, timeoutMs);
}

/** On a full disk the reservation gives its room to the record. Where even that fails it stays, and becomes the record later. */
async function append(draft: RecordDraft, ports: RunPorts): Promise<CommandRecord> {
  const record = await ports.log.append(draft).catch(async (error: unknown) => {
    if (!(error instanceof TrueupError) || error.code !== "disk-full") throw error;
    await ports.started.shrink(draft.command_id);
    return ports.log.append(draft);
  });
  await ports.started.settle(draft.command_id);
  return record;
}
