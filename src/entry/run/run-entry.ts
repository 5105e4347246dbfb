import type { Writable } from "node:stream";
import { createStreamSink, type StreamSink } from "../../adapters/process-runner/node/stream-sink.ts";
import { exitCodeOf, TrueupError } from "../../errors.ts";
import { complain, describeFailure, describeRecordError } from "./complain.ts";
import { parseRunArguments, runHelp, type RunArguments } from "./parse-run-arguments.ts";
import { exitCodeOfRun, runAsked } from "./run-asked.ts";

/** What `trueup run` may touch of the process. */
export interface RunTerminal {
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** `trueup run`: returns the exit code. `words` are the last of the process's own command line. */
export async function runEntry(words: readonly string[], terminal: RunTerminal): Promise<number> {
  const asked = parseRunArguments(words);
  try {
    return await act(asked, words, terminal);
  } catch (error) {
    complain(terminal.stderr, describeFailure(error));
    return error instanceof TrueupError && exitCodeOf(error) === 130 ? 130 : 125;
  }
}

async function act(asked: RunArguments, words: readonly string[], terminal: RunTerminal): Promise<number> {
  const { environment, stdout, stderr } = terminal;
  if (asked.kind === "help") return stdout.write(runHelp) ? 0 : 0;
  if (asked.kind === "refused")
    throw new TrueupError("usage", { detail: asked.reason, hint: "See `trueup run --help`." });
  if (asked.kind === "stop") return stopNamed(asked.commandId, environment);
  const place = { environment, words };
  if (asked.background || asked.supervise) {
    const { startService, superviseService } = await import("./background.ts");
    if (asked.supervise) return superviseService(asked, place);
    const start = await startService(asked, place);
    if ("command_id" in start) stdout.write(`${start.command_id}\n`);
    else complain(stderr, start.complaint);
    return "command_id" in start ? 0 : start.exit;
  }
  const sinks = { stdout: createStreamSink(stdout), stderr: createStreamSink(stderr) };
  const outcome = await runAsked(asked, { ...place, open: () => sinks });
  const complaint = describeRecordError(outcome.record) ?? null;
  if (complaint !== null) complain(stderr, complaint);
  return lostOutput(sinks, stderr) ? 125 : exitCodeOfRun(outcome);
}

/** A reader that went away has what it wanted; output that could not be written was not passed on. */
function lostOutput(sinks: Readonly<Record<"stdout" | "stderr", StreamSink>>, stderr: Writable): boolean {
  const failures = [sinks.stdout.failure(), sinks.stderr.failure()].filter((one) => one !== null && one !== "EPIPE");
  if (failures.length === 0) return false;
  complain(stderr, `the command's output could not be passed on (${failures.join(", ")}); its record is whole`);
  return true;
}

async function stopNamed(commandId: string, environment: RunTerminal["environment"]): Promise<number> {
  const { createRunPorts, findSession, openSessionStore } = await import("./session-ports.ts");
  const { stopService } = await import("../../app/run-command-line/stop-service.ts");
  const sessions = openSessionStore(environment);
  const session = await findSession(sessions, process.cwd(), environment);
  await stopService(createRunPorts(sessions, session).started, commandId);
  return 0;
}
