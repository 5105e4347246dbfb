import fs from "node:fs";

/** The calls that writing a log is made of, so that a test can fail each of them. */
export type LogCalls = Pick<
  typeof fs,
  | "openSync"
  | "writeSync"
  | "fdatasyncSync"
  | "fsyncSync"
  | "ftruncateSync"
  | "closeSync"
  | "renameSync"
  | "linkSync"
  | "rmSync"
  | "statSync"
  | "readFileSync"
  | "readdirSync"
>;

/** The calls on the real file system. */
export const systemCalls: LogCalls = fs;

/** The `errno` name of a thrown value, or null. */
export function errnoOf(error: unknown): string | null {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return typeof code === "string" ? code : null;
}

/** The bytes of a file, or null when there is none. */
export function readBytes(calls: LogCalls, file: string): Uint8Array | null {
  try {
    return calls.readFileSync(file);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return null;
    throw error;
  }
}

/** Size of a file in bytes; 0 when there is none. */
export function sizeOf(calls: LogCalls, file: string): number {
  return calls.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function writeWhole(calls: LogCalls, fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += calls.writeSync(fd, bytes, done);
}

/** Adds bytes to a file and waits for the disk. When it throws, some of them may stand there. */
export function appendDurably(calls: LogCalls, file: string, bytes: Uint8Array): void {
  const fd = calls.openSync(file, "a", 0o600);
  try {
    writeWhole(calls, fd, bytes);
    calls.fdatasyncSync(fd);
  } finally {
    calls.closeSync(fd);
  }
}

/** Takes a step back after a failure. The failure is what is told; where even the way back fails, readers see what stays. */
export function undo(step: () => void): void {
  try {
    step();
  } catch (error) {
    if (errnoOf(error) === null) throw error;
  }
}

/** Cuts a file to a size and waits for the disk. */
export function cutDurably(calls: LogCalls, file: string, size: number): void {
  const fd = calls.openSync(file, "r+");
  try {
    calls.ftruncateSync(fd, size);
    calls.fdatasyncSync(fd);
  } finally {
    calls.closeSync(fd);
  }
}

/** Writes a file anew, and waits for the disk where a crash must not find half of it. */
export function writeNew(calls: LogCalls, file: string, { text, durable }: { text: string; durable: boolean }): void {
  const fd = calls.openSync(file, "w", 0o600);
  try {
    writeWhole(calls, fd, Buffer.from(text, "utf8"));
    if (durable) calls.fdatasyncSync(fd);
  } finally {
    calls.closeSync(fd);
  }
}

/** Waits until a directory's names are on the disk. */
export function syncDirectory(calls: LogCalls, directory: string): void {
  const fd = calls.openSync(directory, "r");
  try {
    calls.fsyncSync(fd);
  } finally {
    calls.closeSync(fd);
  }
}
