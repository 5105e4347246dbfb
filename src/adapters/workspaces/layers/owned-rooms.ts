import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readFile, readdir, readlink, rename, rm } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";

const namePattern = /^room-([0-9a-f]{16})-([0-9a-f]{16})-([1-9]\d*)-(\d+)-[^-]+$/u;
const removedPrefix = "removed-";

/** Where process ids mean the same: in one pid namespace of one machine, for one boot. Both are short digests. */
interface Place {
  readonly machine: string;
  readonly boot: string;
}

/**
 * Makes a directory whose name says who owns it: machine and pid namespace, boot, process and its start time. The name is
 * there as soon as the directory is, so nobody ever sees one without an owner.
 */
export async function openOwnedRoom(parent: string): Promise<string> {
  const { machine, boot } = await readPlace();
  const started = (await startOf(process.pid)) ?? "0";
  return mkdtemp(path.join(parent, `room-${machine}-${boot}-${process.pid}-${started}-`));
}

/**
 * Removes what killed processes left in `parent`. Of several that sweep at once, one gets each room by renaming it; a room
 * whose owner lives, or lived where this process cannot look, is left alone.
 */
export async function sweepDeadRooms(parent: string): Promise<void> {
  // Without `/proc` nobody can be told to be dead.
  if ((await startOf(process.pid)) === null) return;
  const own = await readPlace();
  for (const name of await readdir(parent)) {
    const left = name.startsWith(removedPrefix) ? name : await claimDead(parent, name, own);
    if (left !== null) await rm(path.join(parent, left), { recursive: true, force: true });
  }
}

/** The new name of a room whose owner is dead; null when it is not, or another process was first. */
async function claimDead(parent: string, name: string, own: Place): Promise<string | null> {
  const [, machine, boot, pid, started] = namePattern.exec(name) ?? [];
  if (machine !== own.machine) return null;
  if (boot === own.boot && (await startOf(Number(pid))) === started) return null;
  const claimed = `${removedPrefix}${randomBytes(6).toString("hex")}`;
  try {
    await rename(path.join(parent, name), path.join(parent, claimed));
    return claimed;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

async function readPlace(): Promise<Place> {
  const namespace = await readlink("/proc/self/ns/pid").catch(() => "");
  const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "");
  const short = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);
  return { machine: short(JSON.stringify([hostname(), namespace])), boot: short(boot) };
}

/** Start time in clock ticks after boot; null when there is no such process or it only waits to be reaped. */
async function startOf(pid: number): Promise<string | null> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  if (stat === null) return null;
  // The name in parentheses may hold anything: fields count from the last one.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" ? null : (fields[19] ?? null);
}
