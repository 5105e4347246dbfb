import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Which process, on which boot of which machine: a process id alone is handed on to others. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks after boot; null where there is no `/proc`. */
  readonly started: string | null;
  readonly host: string;
  readonly boot: string | null;
  /** The pid namespace: a pid means nothing outside it. */
  readonly namespace: string | null;
}

function orNull(read: () => string): string | null {
  try {
    return read().trim();
  } catch {
    return null;
  }
}

/** Start time of a process; null when it is gone or only waits to be reaped. */
function startTime(pid: number): string | null {
  const stat = orNull(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  if (stat === null) return null;
  // The name in parentheses may hold anything: fields count from the last one.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" ? null : (fields[19] ?? null);
}

/** The identity of this process. */
export function readOwnIdentity(): ProcessIdentity {
  return {
    pid: process.pid,
    started: startTime(process.pid),
    host: hostname(),
    boot: orNull(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8")),
    namespace: orNull(() => readlinkSync("/proc/self/ns/pid")),
  };
}

function answersSignal(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Whether the process of an identity is known to have ended. One that `own` cannot look at is not. */
export function isDead(other: ProcessIdentity, own: ProcessIdentity): boolean {
  if (other.host !== own.host) return false;
  if (other.boot !== own.boot) return true;
  if (other.namespace !== own.namespace) return false;
  return other.started === null ? !answersSignal(other.pid) : startTime(other.pid) !== other.started;
}
