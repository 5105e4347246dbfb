import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { TrueupError } from "../../../errors.ts";

/** How long a writer waits for others, in milliseconds; each holds the lock for one short write. */
const patienceMs = 60_000;
const pauseMs = 4;

/** Runs `act` while no other process writes this log. A lock whose process is dead is taken over. */
export async function withLogLock<T>(file: string, act: () => Promise<T>): Promise<T> {
  const mine = `${process.pid} ${startOf(process.pid) ?? ""}`;
  const until = performance.now() + patienceMs;
  while (!tryCreate(file, mine)) {
    takeOverDead(file, mine);
    if (performance.now() > until)
      throw new TrueupError("state-unwritable", {
        subject: file,
        detail: `locked by process ${holderOf(file) ?? "unknown"}`,
      });
    await pause(pauseMs);
  }
  try {
    return await act();
  } finally {
    rmSync(file, { force: true });
  }
}

function tryCreate(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** One taker at a time, and only of the very holder that was seen dead. */
function takeOverDead(file: string, mine: string): void {
  const holder = holderOf(file);
  if (holder === null || !isDead(holder)) return;
  const guard = `${file}.take`;
  if (!tryCreate(guard, mine)) {
    const taker = holderOf(guard);
    if (taker !== null && isDead(taker)) rmSync(guard, { force: true });
    return;
  }
  try {
    if (holderOf(file) === holder) rmSync(file, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
}

/** The text of a lock; null when it is gone or its writer has not written it yet. */
function holderOf(file: string): string | null {
  try {
    const text = readFileSync(file, "utf8");
    return text === "" ? null : text;
  } catch {
    return null;
  }
}

function isDead(holder: string): boolean {
  const [pid = "", start = ""] = holder.split(" ");
  const now = startOf(Number(pid));
  return now === null || (start !== "" && now !== start);
}

/** Start time of a process in clock ticks after boot; null when it is gone. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}
