import { join } from "node:path";
import { z } from "zod";
import { TrueupError } from "../../../errors.ts";
import { processIdentitySchema, readLiveness, type ProcessIdentity } from "./process-identity.ts";
import { openPrivateDirectory, replaceFile } from "./private-directory.ts";
import type { StateFiles } from "./state-files.ts";

const lockSchema = z.strictObject({ version: z.literal(1), holder: processIdentitySchema, released: z.boolean() });

type Lock = z.infer<typeof lockSchema>;

/** The right to deliver one task, until `release`. */
export interface TaskLock {
  release(): Promise<void>;
}

export interface LockRequest {
  /** Directory of this task's locks. */
  readonly directory: string;
  readonly own: ProcessIdentity;
  /** A name no other process uses. */
  readonly unique: string;
}

function encode(lock: Lock): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(lock)}\n`);
}

function generations(names: readonly string[]): readonly number[] {
  return names
    .flatMap((name) => (/^[1-9]\d*\.json$/u.test(name) ? [Number.parseInt(name, 10)] : []))
    .toSorted((a, b) => a - b);
}

function parseLock(bytes: Uint8Array, path: string): Lock {
  try {
    return lockSchema.parse(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  } catch (cause) {
    throw new TrueupError("attempt-damaged", {
      subject: path,
      hint: `If no delivery of this task runs, remove ${path}.`,
      cause,
    });
  }
}

/** The newest lock of a directory, or null when nobody ever held one. */
async function newestLock(
  files: StateFiles,
  directory: string,
): Promise<{ generation: number; path: string; lock: Lock } | null> {
  const generation = generations(await files.list(directory)).at(-1);
  if (generation === undefined) return null;
  const path = join(directory, `${generation}.json`);
  const bytes = await files.read(path);
  return bytes === null ? null : { generation, path, lock: parseLock(bytes, path) };
}

/** The pid that holds a task now, or null. A holder that cannot be looked at counts as holding. */
export async function readHolder(files: StateFiles, directory: string, own: ProcessIdentity): Promise<number | null> {
  const newest = await newestLock(files, directory);
  if (newest === null || newest.lock.released) return null;
  return (await readLiveness(newest.lock.holder, own)) === "dead" ? null : newest.lock.holder.pid;
}

function lockedError(path: string, holder: ProcessIdentity, elsewhere: boolean): TrueupError {
  const where = elsewhere ? ` on ${holder.host}, where this process cannot look` : "";
  const hint = elsewhere
    ? `Wait for it to end. If that machine or container is gone, remove ${path}.`
    : `Wait for it to end, or stop process ${holder.pid}.`;
  return new TrueupError("attempt-locked", { detail: `process ${holder.pid}${where}`, hint });
}

/** Throws `attempt-locked` unless the newest lock was released or its process is dead. */
async function expectFree(newest: { path: string; lock: Lock }, own: ProcessIdentity): Promise<void> {
  if (newest.lock.released) return;
  const liveness = await readLiveness(newest.lock.holder, own);
  if (liveness !== "dead") throw lockedError(newest.path, newest.lock.holder, liveness === "unknown");
}

/** Puts the lock at `path` whole, unless that number is taken. A leftover temporary file is harmless: nobody reads it. */
async function claim(
  files: StateFiles,
  lock: { path: string; temporary: string; bytes: Uint8Array },
): Promise<boolean> {
  try {
    await files.writeSynced(lock.temporary, lock.bytes);
    return await files.link(lock.temporary, lock.path);
  } finally {
    await files.remove(lock.temporary).catch(() => undefined);
  }
}

async function syncOrRelease(files: StateFiles, directory: string, release: () => Promise<void>): Promise<void> {
  try {
    await files.syncDirectory(directory);
  } catch (error) {
    // What failed first is what is told; a lock that stays is free once this process is gone.
    await release().catch(() => undefined);
    throw error;
  }
}

/**
 * Takes a task's lock. Each holder makes the next numbered file by an exclusive link and no file is ever removed, so of
 * two processes that find the same dead holder exactly one gets the next number.
 */
export async function acquireTaskLock(files: StateFiles, request: LockRequest): Promise<TaskLock> {
  const { directory, own, unique } = request;
  await openPrivateDirectory(files, directory, null);
  const held: Lock = { version: 1, holder: own, released: false };
  for (;;) {
    const newest = await newestLock(files, directory);
    if (newest !== null) await expectFree(newest, own);
    const path = join(directory, `${(newest?.generation ?? 0) + 1}.json`);
    if (!(await claim(files, { path, temporary: join(directory, `.${unique}.tmp`), bytes: encode(held) }))) continue;
    const release = () => replaceFile(files, path, encode({ ...held, released: true }));
    await syncOrRelease(files, directory, release);
    return { release };
  }
}
