import type { ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { SandboxRequest, SandboxResult } from "../../../ports/sandbox.ts";
import { TrueupError } from "../../../errors.ts";
import type { ControlGroup } from "./control-group.ts";
import { assertDeadTree, markProcess, type ProcessMark } from "./dead-tree.ts";
import { decideExit, type RunEnding } from "./decide-exit.ts";
import { createOutputCollector, type OutputCollector } from "./output-collector.ts";
import { descriptors } from "./profile.ts";
import { startRunClock, type RunClock } from "./run-clock.ts";
import { spawnWrapper, type WrapperPlan } from "./spawn-wrapper.ts";
import { decodeStatusLines } from "./status-lines.ts";

/** One run: what was asked, how it is started, and the group its processes join. */
export interface RunPlan {
  readonly request: SandboxRequest;
  readonly wrapper: WrapperPlan;
  readonly group: ControlGroup | null;
  /** How long a killed tree may take to die before it counts as a survivor. */
  readonly patienceMs: number;
}

/** Starts, feeds the key, reads everything, enforces limits, asserts that the tree is dead, and only then reports. */
export async function runInside(plan: RunPlan): Promise<SandboxResult> {
  const { request, group } = plan;
  const started = performance.now();
  const child = spawnWrapper(plan.wrapper);
  const end = watchEnd(child);
  const kill = (): void => killRun(child, group);
  const clock = startRunClock(request.limits, kill, request.signal);
  const output = createOutputCollector(request.limits.output_bytes, {
    onChunk: (stream, chunk) => request.onOutput?.(stream, chunk),
    onOverflow: () => clock.stop("output"),
  });
  readOutput(child, output, clock);
  const status = readStatus(child);
  const channel = openChannel(child, request, clock);
  const { code, signal } = await end.exited.finally(clock.end);
  await assertDeadTree({ init: status.init, group, streamsClosed: end.closed, patienceMs: plan.patienceMs });
  const memory = (await group?.readMemory()) ?? { kills: 0, peak: null };
  const [stdout, stderr] = [output.bytes("stdout"), output.bytes("stderr")];
  const statusCode = decodeStatusLines(status.text()).exitCode;
  const ending = { cause: clock.cause(), code, signal, statusCode, memoryKills: memory.kills };
  return {
    exit: exitOrThrow({ ...ending, stderr: Buffer.from(stderr).toString("utf8") }),
    status_code: statusCode,
    stdout,
    stderr,
    channel: channel.bytes(),
    channel_truncated: channel.truncated(),
    started_at_ms: Math.round(performance.timeOrigin + started),
    duration_ms: Math.round(performance.now() - started),
    peak_memory_bytes: memory.peak,
  };
}

function exitOrThrow(ending: RunEnding): SandboxResult["exit"] {
  const decision = decideExit(ending);
  if (decision.kind === "exit") return decision.exit;
  throw new TrueupError(decision.reason === "forbidden" ? "sandbox-forbidden" : "sandbox-failed", {
    detail: decision.detail,
  });
}

interface ProcessEnd {
  readonly exited: Promise<{ code: number | null; signal: string | null }>;
  readonly closed: Promise<void>;
}

/** Listens before anything can happen. A wrapper that cannot be started is `sandbox-failed`. */
function watchEnd(child: ChildProcess): ProcessEnd {
  const exited = new Promise<{ code: number | null; signal: string | null }>((resolve, reject) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
    child.once("error", (cause) => reject(new TrueupError("sandbox-failed", { detail: String(cause), cause })));
  });
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  return { exited, closed };
}

/** bubblewrap dies first, its first process inside with it, and the kernel then ends all the rest. */
function killRun(child: ChildProcess, group: ControlGroup | null): void {
  child.kill("SIGKILL");
  // The dead-tree assertion kills again and reports what does not die, so a failure here loses nothing.
  void group?.kill().catch(() => undefined);
}

function readOutput(child: ChildProcess, output: OutputCollector, clock: RunClock): void {
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream]?.on("data", (chunk: Buffer) => {
      clock.moved();
      output.add(stream, chunk);
    });
  }
}

interface StatusReader {
  text(): string;
  /** The namespace's first process, marked as soon as bubblewrap named it. */
  init(): Promise<ProcessMark | null>;
}

function readStatus(child: ChildProcess): StatusReader {
  let text = "";
  let init: Promise<ProcessMark> | null = null;
  const stream = (child.stdio as readonly (Readable | Writable | null | undefined)[])[
    descriptors.status
  ] as Readable | null;
  stream?.setEncoding("utf8").on("data", (piece: string) => {
    text += piece;
    const pid = decodeStatusLines(text).childPid;
    if (pid !== null) init ??= markProcess(pid);
  });
  return { text: () => text, init: async () => init };
}

interface ChannelReader {
  bytes(): Uint8Array;
  truncated(): boolean;
}

/** Writes the key first and reads all the time: a program that writes to a full channel would otherwise wait for ever. */
function openChannel(child: ChildProcess, request: SandboxRequest, clock: RunClock): ChannelReader {
  const chunks: Uint8Array[] = [];
  let left = request.channel?.max_bytes ?? 0;
  let truncated = false;
  const stream = child.stdio[descriptors.channel] as (Readable & Writable) | null | undefined;
  // A sandbox that fails early closes its end; the error says no more than the exit does.
  stream?.on("error", () => undefined);
  stream?.on("data", (chunk: Buffer) => {
    clock.moved();
    const kept = chunk.subarray(0, left);
    left -= kept.length;
    chunks.push(kept);
    if (kept.length === chunk.length) return;
    truncated = true;
    clock.stop("output");
  });
  if (request.channel) stream?.write(request.channel.key);
  return { bytes: () => new Uint8Array(Buffer.concat(chunks)), truncated: () => truncated };
}
