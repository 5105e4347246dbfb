import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { TrueupError } from "../../../errors.ts";

const full = ["ENOSPC", "EDQUOT", "EFBIG"];

/** Runs a file operation; a failure becomes `disk-full` when no space is left, else `state-unwritable`. */
export function guarded<T>(subject: string, act: () => T): T {
  try {
    return act();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (cause instanceof TrueupError || code === undefined) throw cause;
    throw new TrueupError(full.includes(code) ? "disk-full" : "state-unwritable", { subject, detail: code, cause });
  }
}

/** The text of a file, or null when there is none. */
export function readTextFile(file: string): string | null {
  return guarded(file, () => {
    try {
      return readFileSync(file, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw error;
    }
  });
}

/** Names in a directory, sorted; none when there is no such directory. */
export function listNames(directory: string): readonly string[] {
  return guarded(directory, () => {
    try {
      return readdirSync(directory).sort();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
      throw error;
    }
  });
}

/** Replaces a file whole (0600): a reader sees the old text or the new. `durable` waits until it is on the disk. */
export function replaceTextFile(file: string, text: string, durable: boolean): void {
  const part = `${file}.${process.pid}.part`;
  guarded(file, () => {
    try {
      writeFileSync(part, text, { mode: 0o600 });
      if (durable) syncPath(part);
      renameSync(part, file);
      if (durable) syncPath(path.dirname(file));
    } catch (error) {
      rmSync(part, { force: true });
      throw error;
    }
  });
}

function syncPath(target: string): void {
  const fd = openSync(target, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Makes a directory for its owner alone. */
export function makePrivateDirectory(directory: string): void {
  guarded(directory, () => mkdirSync(directory, { recursive: true, mode: 0o700 }));
  expectPrivate(directory);
}

/** Throws `state-insecure` unless a directory is ours and closed to others. */
export function expectPrivate(directory: string): void {
  const stats = guarded(directory, () => lstatSync(directory));
  if (!stats.isDirectory())
    throw new TrueupError("state-unwritable", { subject: directory, detail: "not a directory" });
  const uid = process.getuid?.();
  if (uid !== undefined && stats.uid !== uid)
    throw new TrueupError("state-insecure", { subject: directory, detail: `owned by user ${stats.uid}` });
  if (process.platform !== "win32" && (stats.mode & 0o077) !== 0)
    throw new TrueupError("state-insecure", { subject: directory, detail: `mode ${(stats.mode & 0o777).toString(8)}` });
}
