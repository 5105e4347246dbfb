import { spawn, type ChildProcess } from "node:child_process";
import { statSync } from "node:fs";
import type { Readable } from "node:stream";
import type {
  ProcessEnd,
  ProcessRequest,
  ProcessRunner,
  ProcessStart,
  RunningProcess,
  StartFailure,
} from "../../../ports/index.ts";
import { drainStream, type Draining } from "./drain-stream.ts";
import { endTree, usualPatience, waitFor, type Patience } from "./end-tree.ts";
import { planSpawn, type Spawnable } from "./exact-argv.ts";
import { claimPipes, type PipePair } from "./pipe-pool.ts";
import { findTree, hasAnyStartedSince, readProcess, trySignal, type RunTree } from "./process-table.ts";
import { milliseconds } from "./milliseconds.ts";

/** A command that runs, and where its output is read. */
interface Spawned {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Its pipes may serve the next command when they were read to their end. */
  release(wasEnded: boolean): void;
}

/** The variable that marks a run's processes; nested runs stand in one list, so that each finds its own. */
const markName = "TRUEUP_RUN_ID";
/** After the command itself ended, how long what it left may go on while it still holds the output: `>(tee log)`. */
const settleMs = 1000;
/** After everything is dead, how long a silent pipe is waited for. */
const quietMs = 2000;
/** In so short a run nobody can bring the system's pid counter around to where it was, in milliseconds. */
const shortMs = 500;

type Streams = Readonly<Record<"stdout" | "stderr", Draining>>;

export interface NodeRunnerOptions {
  /** Where named pipes are kept, for its owner alone; without it commands get Node's socket pairs. */
  readonly pipeDirectory?: string;
  readonly patience?: Patience;
}

/** Runs commands as children of this process. */
export function createNodeProcessRunner(options: NodeRunnerOptions = {}): ProcessRunner {
  const patience = options.patience ?? usualPatience;
  return {
    start: (request) => startProcess(request, { ...options, patience }),
    endLeftovers: (runId) => endTree({ leader: 0, since: 0, mark: runId, seen: new Set() }, patience),
  };
}

async function startProcess(
  request: ProcessRequest,
  { pipeDirectory, patience }: NodeRunnerOptions & { readonly patience: Patience },
): Promise<ProcessStart> {
  const plan = planSpawn(request.argv, request.environment);
  if ("kind" in plan) return { outcome: "failed", failure: plan };
  const pipes = pipeDirectory === undefined ? null : claimPipes(pipeDirectory, request.runId);
  const spawned = await trySpawn(plan, markedEnvironment(request), pipes);
  pipes?.closeWriters();
  if ("kind" in spawned) {
    discard(pipes);
    return { outcome: "failed", failure: spawned };
  }
  return { outcome: "started", process: superviseProcess(spawned, request, patience) };
}

/** Nothing was started: nobody else can hold the pipes. */
function discard(pipes: PipePair | null): void {
  pipes?.stdout.reader.destroy();
  pipes?.stderr.reader.destroy();
  pipes?.release(true);
}

function markedEnvironment(request: ProcessRequest): Record<string, string | undefined> {
  const outer = request.environment[markName];
  return { ...request.environment, [markName]: outer === undefined ? request.runId : `${outer},${request.runId}` };
}

/** A session of its own, so that one signal reaches the whole group and a terminal's Ctrl-C reaches only us. */
async function trySpawn(
  plan: Spawnable,
  env: NodeJS.ProcessEnv,
  pipes: PipePair | null,
): Promise<Spawned | StartFailure> {
  const ends = [pipes?.stdout.writer ?? "pipe", pipes?.stderr.writer ?? "pipe"] as const;
  try {
    const child = spawn(plan.file, [...plan.args], { env, detached: true, stdio: ["inherit", ...ends] });
    const stdout = pipes?.stdout.reader ?? child.stdout;
    const stderr = pipes?.stderr.reader ?? child.stderr;
    // Node tells a failed start by an event right after; a pid means that the program runs.
    if (child.pid !== undefined && stdout !== null && stderr !== null) {
      child.on("error", () => undefined);
      return { child, pid: child.pid, stdout, stderr, release: (wasEnded) => pipes?.release(wasEnded) };
    }
    return await new Promise((resolve) => child.once("error", (error) => resolve(startFailure(error, plan.file))));
  } catch (error) {
    return startFailure(error, plan.file);
  }
}

const kinds: Readonly<Record<string, StartFailure["kind"]>> = {
  ENOENT: "not-found",
  ENOTDIR: "not-found",
  ELOOP: "not-found",
  ENAMETOOLONG: "not-found",
  EACCES: "not-executable",
  EPERM: "not-executable",
  ENOEXEC: "not-executable",
  ETXTBSY: "not-executable",
};

function startFailure(error: unknown, file: string): StartFailure {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  const directory = code === "EACCES" && statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
  return { kind: kinds[code] ?? "spawn", detail: directory ? "it is a directory" : code };
}

/** What happened to a running command besides its exit. */
interface Events {
  timedOut: boolean;
  interruptedBy: string | null;
  survivors: readonly number[];
}

function superviseProcess(spawned: Spawned, request: ProcessRequest, patience: Patience): RunningProcess {
  const started = milliseconds();
  const { child, pid } = spawned;
  const tree: RunTree = { leader: pid, since: readProcess(pid)?.start ?? 0, mark: request.runId, seen: new Set() };
  const events: Events = { timedOut: false, interruptedBy: null, survivors: [] };
  const streams = {
    stdout: drainStream(spawned.stdout, request.stdout),
    stderr: drainStream(spawned.stderr, request.stderr),
  };
  const stopWatching = watchTree(tree);
  const timer = startTimer(request.timeoutMs, () => {
    events.timedOut = events.interruptedBy === null;
    void endTree(tree, patience);
  });
  const exited = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  const ended = exited.then(async ({ code, signal }): Promise<ProcessEnd> => {
    clearTimeout(timer);
    stopWatching();
    const short = milliseconds() - started < shortMs;
    const survivors = await endRest({ tree, streams, short }, patience);
    const outputLost = await finishStreams(streams);
    spawned.release(streams.stdout.ended && streams.stderr.ended);
    return { exitCode: code, signal, outputLost, ...events, survivors };
  });
  return { pid, interrupt: (signal) => interrupt({ child, tree, events }, signal), ended };
}

function interrupt(run: { child: ChildProcess; tree: RunTree; events: Events }, signal: NodeJS.Signals): void {
  const { child, tree, events } = run;
  const first = events.interruptedBy === null;
  events.interruptedBy ??= signal;
  if (first && child.exitCode === null && child.signalCode === null) trySignal(-tree.leader, signal);
  // Whoever asks again, or asks for the end, does not wait for a command that takes its time.
  if (!first) void endTree(tree, { ...usualPatience, term: 0 });
  else if (signal !== "SIGINT") void endTree(tree, usualPatience);
}

/** Ends what the command left behind, after a moment for those that only pass on its last words. */
async function endRest(
  { tree, streams, short }: { tree: RunTree; streams: Streams; short: boolean },
  patience: Patience,
): Promise<readonly number[]> {
  if (short && !hasAnyStartedSince(tree.leader)) return [];
  const open = (): boolean => !streams.stdout.closed || !streams.stderr.closed;
  if (open()) await waitFor(() => !open() || findTree(tree).length === 0, settleMs);
  return endTree(tree, patience);
}

async function finishStreams(streams: Streams): Promise<readonly ("stdout" | "stderr")[]> {
  const names = ["stdout", "stderr"] as const;
  const whole = await Promise.all(names.map((name) => streams[name].finish(quietMs)));
  return names.filter((_, index) => whole[index] === false);
}

function startTimer(ms: number | null, act: () => void): NodeJS.Timeout | undefined {
  return ms === null ? undefined : setTimeout(act, ms);
}

/** Looks at the tree now and then while it runs, so that a process whose parents die and whose mark is gone is known. */
function watchTree(tree: RunTree): () => void {
  let timer: NodeJS.Timeout | undefined;
  const next = (ms: number): void => {
    timer = setTimeout(() => {
      if (hasAnyStartedSince(tree.leader)) findTree(tree);
      next(Math.min(ms * 2, 5000));
    }, ms);
    timer.unref();
  };
  next(50);
  return () => clearTimeout(timer);
}
