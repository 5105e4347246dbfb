import { link, mkdir, readFile, rename, rm, unlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { TrueupError } from "../../../errors.ts";

/** How often a waiting process looks again, in milliseconds. */
const pollMs = 50;

/** Runs `use` while no other process holds the lock. A lock whose holder is gone (pid and start time) is broken. */
export async function withLock<T>(path: string, signal: AbortSignal | undefined, use: () => Promise<T>): Promise<T> {
  const text = `${process.pid} ${await startTimeOf(process.pid)} ${performance.now()} ${Math.random()}\n`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  while (!(await take(path, text))) {
    if (signal?.aborted === true) throw new TrueupError("interrupted");
    await breakStale(path);
    await sleep(pollMs);
  }
  try {
    return await use();
  } finally {
    if ((await readFile(path, "utf8").catch(() => null)) === text) await rm(path, { force: true });
  }
}

/** Creates the lock with its content in one step, so that no one ever reads it half written. */
async function take(path: string, text: string): Promise<boolean> {
  const draft = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  await writeFile(draft, text, { flag: "wx", mode: 0o600 });
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  } finally {
    await unlink(draft);
  }
}

async function breakStale(path: string): Promise<void> {
  const text = await readFile(path, "utf8").catch(() => null);
  if (text === null || (await isAlive(text))) return;
  // Moved aside first: if another process broke it meanwhile, what we moved is a fresh lock, and it goes back.
  const aside = `${path}.${process.pid}.stale`;
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  if ((await readFile(aside, "utf8").catch(() => null)) !== text) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

async function isAlive(text: string): Promise<boolean> {
  const [pid = "", started = ""] = text.split(" ");
  if (!/^[0-9]+$/u.test(pid)) return false;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  const now = await startTimeOf(Number(pid));
  return now === "unknown" || started === "unknown" || now === started;
}

/** The kernel's start time of a process, so that a reused pid is not taken for its old owner. */
async function startTimeOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  return text?.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? "unknown";
}
