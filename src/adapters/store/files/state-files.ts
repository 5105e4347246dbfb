import { link, lstat, mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";

/** What a directory entry is, without following a symbolic link. */
export interface FileState {
  readonly directory: boolean;
  /** Permission bits only. */
  readonly mode: number;
  readonly uid: number;
}

/** The few file operations the store is made of, so that a test can stop at each of them. All throw `errno` errors. */
export interface StateFiles {
  /** The bytes, or null when there is no such file. */
  read(path: string): Promise<Uint8Array | null>;
  /** Names in a directory, sorted; empty when there is no such directory. */
  list(path: string): Promise<readonly string[]>;
  inspect(path: string): Promise<FileState | null>;
  /** Makes a directory and its parents (0700); no error when it exists. */
  makeDirectory(path: string): Promise<void>;
  /** Writes a file (0600), cutting what was there, and waits until its bytes are on the disk. */
  writeSynced(path: string, bytes: Uint8Array): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Gives a file a second name; false when that name is taken. */
  link(from: string, to: string): Promise<boolean>;
  /** Removes a file or directory; no error when it is gone. */
  remove(path: string): Promise<void>;
  /** Waits until a directory's names are on the disk. */
  syncDirectory(path: string): Promise<void>;
}

/** The `errno` name of a thrown value, or null. */
export function errnoOf(error: unknown): string | null {
  if (!(error instanceof Error) || !("code" in error)) return null;
  return typeof error.code === "string" ? error.code : null;
}

async function unless<T>(codes: readonly string[], otherwise: T, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (codes.includes(errnoOf(error) ?? "")) return otherwise;
    throw error;
  }
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(path, "w", 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function inspect(path: string): Promise<FileState> {
  const stats = await lstat(path);
  return { directory: stats.isDirectory(), mode: stats.mode & 0o7777, uid: stats.uid };
}

/** The operations on the real file system. */
export function createStateFiles(): StateFiles {
  return {
    read: (path) => unless(["ENOENT"], null, () => readFile(path)),
    list: (path) => unless(["ENOENT"], [], async () => (await readdir(path)).toSorted()),
    inspect: (path) => unless<FileState | null>(["ENOENT"], null, () => inspect(path)),
    makeDirectory: async (path) => void (await mkdir(path, { recursive: true, mode: 0o700 })),
    writeSynced,
    rename,
    link: (from, to) => unless(["EEXIST"], false, async () => (await link(from, to), true)),
    remove: (path) => rm(path, { recursive: true, force: true }),
    syncDirectory,
  };
}
