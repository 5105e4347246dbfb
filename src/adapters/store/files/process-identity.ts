import { readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";
import { z } from "zod";

/** Says which process on which boot of which machine, so that a reused pid is not mistaken for the old process. */
export const processIdentitySchema = z.strictObject({
  pid: z.int().min(1),
  /** Clock ticks after boot, null where there is no `/proc`. */
  started: z.string().nullable(),
  host: z.string(),
  boot: z.string().nullable(),
  /** The pid namespace: a pid means nothing outside it. */
  namespace: z.string().nullable(),
});

export type ProcessIdentity = z.infer<typeof processIdentitySchema>;

/** `unknown`: it lives, or lived, where this process cannot look. */
export type Liveness = "alive" | "dead" | "unknown";

/** Start time of a process from `/proc/<pid>/stat`; null when it is gone or only waits to be reaped. */
export function parseStartTime(stat: string): string | null {
  // The name in parentheses may hold anything, also spaces and parentheses: fields count from the last one.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const state = fields[0];
  return state === "Z" || state === "X" ? null : (fields[19] ?? null);
}

async function textOrNull(read: Promise<string>): Promise<string | null> {
  return read.then(
    (text) => text.trim(),
    () => null,
  );
}

async function startTime(pid: number): Promise<string | null> {
  const stat = await textOrNull(readFile(`/proc/${pid}/stat`, "utf8"));
  return stat === null ? null : parseStartTime(stat);
}

/** The identity of this process. */
export async function readOwnIdentity(): Promise<ProcessIdentity> {
  return {
    pid: process.pid,
    started: await startTime(process.pid),
    host: hostname(),
    boot: await textOrNull(readFile("/proc/sys/kernel/random/boot_id", "utf8")),
    namespace: await textOrNull(readlink("/proc/self/ns/pid")),
  };
}

function answersSignal(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Whether the process of an identity still runs, as far as `own` can see it. */
export async function readLiveness(other: ProcessIdentity, own: ProcessIdentity): Promise<Liveness> {
  if (other.host !== own.host) return "unknown";
  if (other.boot !== own.boot) return "dead";
  if (other.namespace !== own.namespace) return "unknown";
  if (other.started === null) return answersSignal(other.pid) ? "alive" : "dead";
  return (await startTime(other.pid)) === other.started ? "alive" : "dead";
}
