import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { TrueupError } from "../../../errors.ts";
import type { ControlGroup } from "./control-group.ts";

/** A process told apart from a later one with the same pid. */
export interface ProcessMark {
  readonly pid: number;
  /** Clock ticks since boot at its start; null when it was already gone. */
  readonly started: string | null;
}

/** Reads state and start time of a process; null when there is none. */
async function readProcess(pid: number): Promise<{ state: string; started: string } | null> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  if (text === null) return null;
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return { state: fields[0] ?? "", started: fields[19] ?? "" };
}

/** Marks a process while it is known to be the right one. */
export async function markProcess(pid: number): Promise<ProcessMark> {
  return { pid, started: (await readProcess(pid))?.started ?? null };
}

async function isAlive(mark: ProcessMark): Promise<boolean> {
  const found = await readProcess(mark.pid);
  if (found === null || mark.started === null || found.started !== mark.started) return false;
  return found.state !== "Z" && found.state !== "X";
}

/** What must be dead, and for how long it is waited for. */
export interface DeadTreeQuestion {
  readonly init: () => Promise<ProcessMark | null>;
  readonly group: ControlGroup | null;
  readonly streamsClosed: Promise<void>;
  readonly patienceMs: number;
}

/**
 * Resolves when the namespace's first process is gone (the kernel kills all others before that), the control group is
 * empty and all streams have ended. Throws `sandbox-survivor` otherwise, after a last kill: nothing of that run may be read.
 */
export async function assertDeadTree(question: DeadTreeQuestion): Promise<void> {
  const until = performance.now() + question.patienceMs;
  await awaitDeath(question, until);
  await assertStreamsClosed(question.streamsClosed, Math.max(1000, until - performance.now()));
  // The name of the first process may have been among the last bytes of the status stream.
  await awaitDeath(question, until);
}

async function awaitDeath({ init, group }: DeadTreeQuestion, until: number): Promise<void> {
  for (;;) {
    const mark = await init();
    const left = [...((await group?.processes()) ?? []), ...(mark !== null && (await isAlive(mark)) ? [mark.pid] : [])];
    if (left.length === 0) return;
    if (performance.now() > until) {
      await group?.kill();
      throw survivor(left);
    }
    await delay(2);
  }
}

async function assertStreamsClosed(closed: Promise<void>, patienceMs: number): Promise<void> {
  const late = new AbortController();
  const timer = delay(patienceMs, "late" as const, { signal: late.signal }).catch(() => "stopped" as const);
  const first = await Promise.race([closed.then(() => "closed" as const), timer]);
  late.abort();
  if (first === "late")
    throw new TrueupError("sandbox-survivor", { detail: "something still holds the run's output open" });
}

const survivor = (pids: readonly number[]): TrueupError =>
  new TrueupError("sandbox-survivor", { subject: pids.map((pid) => `process ${pid}`).join(", ") });
