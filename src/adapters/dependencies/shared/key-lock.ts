import { randomUUID } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { TrueupError } from "../../../errors.ts";

const pollMs = 100;

/** Who holds a lock: a process id alone can be handed to another process, its start time cannot. */
interface Holder {
  readonly pid: number;
  readonly started: string;
}

/** Whether the process that wrote these words is still the one that runs under that id. */
export async function isHolderAlive(words: string): Promise<boolean> {
  const holder = parseHolder(words);
  return holder !== null && (await startOf(holder.pid)) === holder.started;
}

/** This process, in the words of a lock. */
export async function holderWords(): Promise<string> {
  return JSON.stringify({ pid: process.pid, started: (await startOf(process.pid)) ?? "" } satisfies Holder);
}

/**
 * Takes the lock file, waiting while a living process holds it; a dead one's is removed. Returns the release.
 * Throws `interrupted`. The lock saves work done twice: what it guards is put in place by one atomic rename anyway.
 */
export async function acquireKeyLock(
  path: string,
  options: { readonly signal?: AbortSignal; readonly onWait?: () => void },
): Promise<() => Promise<void>> {
  const words = await holderWords();
  for (let tries = 0; ; tries += 1) {
    if (options.signal?.aborted === true) throw new TrueupError("interrupted");
    if (await createHeld(path, words)) return () => rm(path, { force: true });
    const held = await readFile(path, "utf8").catch(() => null);
    if (held !== null && !(await isHolderAlive(held))) await removeStale(path);
    else if (tries === 0) options.onWait?.();
    await pause(pollMs);
  }
}

/** Only one process at a time may remove a dead one's lock, else a fresh lock could be removed in its place. */
async function removeStale(path: string): Promise<void> {
  const guard = `${path}.recover`;
  if (!(await createHeld(guard, await holderWords()))) {
    const other = await readFile(guard, "utf8").catch(() => null);
    if (other !== null && !(await isHolderAlive(other))) await rm(guard, { force: true });
    return;
  }
  try {
    const held = await readFile(path, "utf8").catch(() => null);
    if (held !== null && !(await isHolderAlive(held))) await rm(path, { force: true });
  } finally {
    await rm(guard, { force: true });
  }
}

/** Puts a file with a holder's words at `path`, by a link, so that nobody ever sees one without its holder; false when one is there. */
export async function createHeld(path: string, words: string): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, words, { flag: "wx", mode: 0o600 });
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

function parseHolder(words: string): Holder | null {
  try {
    const { pid, started } = JSON.parse(words) as Partial<Record<keyof Holder, unknown>>;
    return typeof pid === "number" && Number.isSafeInteger(pid) && pid > 0 && typeof started === "string"
      ? { pid, started }
      : null;
  } catch {
    return null;
  }
}

/** The start time of a process in the kernel's ticks; "alive" where there is no `/proc`; null when there is no such process. */
async function startOf(pid: number): Promise<string | null> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return null;
  }
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  return stat === null ? "alive" : (stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "alive");
}
