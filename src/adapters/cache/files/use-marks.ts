import { randomUUID } from "node:crypto";
import { link, mkdir, readFile, readdir, readlink, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import type { CacheArea } from "../../../core/cache/index.ts";

/**
 * Where the marks of an entry lie: `<name>.used` says by its time when it was used last, `<name>.held.<id>` that a process
 * uses it, `<name>.removing` that one removes it. The last two hold the process in words.
 */
export function marksDirectory(cache: string, area: CacheArea): string {
  return path.join(cache, "uses", area);
}

/** This process, so that its marks can be told from those of one that is gone. */
export async function ownWords(): Promise<string> {
  return JSON.stringify({ pid: process.pid, started: await startOf(process.pid), ...(await ownPlace()) });
}

/** Where process ids mean the same: in one pid namespace of one machine, for one boot. */
async function ownPlace(): Promise<{ readonly machine: string; readonly boot: string }> {
  const namespace = await readlink("/proc/self/ns/pid").catch(() => "");
  const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "");
  return { machine: `${hostname()} ${namespace}`, boot: boot.trim() };
}

/** Whether a mark's words name a process that is gone. Of one that cannot be looked for from here nothing is known: it counts as living. */
async function isGone(words: string): Promise<boolean> {
  const { pid, started, machine, boot } = parseWords(words);
  const own = await ownPlace();
  if (typeof pid !== "number" || typeof started !== "string" || started === "" || machine !== own.machine) return false;
  return boot !== own.boot || (await startOf(pid)) !== started;
}

function parseWords(words: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(words);
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

/** Start time in the kernel's ticks; empty when there is no such process, or it only waits to be reaped. */
async function startOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The name in parentheses may hold anything: fields count from the last one.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" ? "" : (fields[19] ?? "");
}

/** Puts a mark with its words there in one step; false when there is one already. */
export async function putMark(file: string, words: string): Promise<boolean> {
  const draft = `${file}.${randomUUID()}.draft`;
  await writeFile(draft, words, { flag: "wx", mode: 0o600 });
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Whether a mark is there and its process may live. */
export async function isMarked(file: string): Promise<boolean> {
  const words = await readFile(file, "utf8").catch(() => null);
  return words !== null && !(await isGone(words));
}

/** Marks an entry as used now. */
export async function touchUsed(directory: string, name: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const file = path.join(directory, `${name}.used`);
  const now = new Date();
  await utimes(file, now, now).catch(() => writeFile(file, "", { mode: 0o600 }));
}

/** When an entry was used last; null where nobody said. Milliseconds since the epoch. */
export async function usedAt(directory: string, name: string): Promise<number | null> {
  return stat(path.join(directory, `${name}.used`)).then(
    (found) => found.mtimeMs,
    () => null,
  );
}

/** Whether a living process holds an entry; the marks of those that are gone are taken away. */
export async function isHeld(directory: string, name: string): Promise<boolean> {
  const marks = await readdir(directory).catch(() => []);
  for (const mark of marks) {
    if (!mark.startsWith(`${name}.held.`) || mark.endsWith(".draft")) continue;
    if (await isMarked(path.join(directory, mark))) return true;
    await rm(path.join(directory, mark), { force: true });
  }
  return false;
}
