import { statfs } from "node:fs/promises";
import { TrueupError } from "../../../errors.ts";

/** Less than this is no room for git's smallest step: it may then fail without naming the reason. */
const leastRoomBytes = 65_536;

/** Whether the file system that holds a directory of ours has no room left. */
export async function isFull(directory: string): Promise<boolean> {
  const room = await statfs(directory).catch(() => null);
  return room !== null && room.bavail * room.bsize < leastRoomBytes;
}

/** The error that git's exit code and words stand for. Words are only used to be more helpful, never to pass. */
export function gitFailure(command: string, code: number | string, stderr: string): TrueupError {
  const detail = `exit ${code}: ${lastLines(stderr)}`;
  if (/No space left on device|ENOSPC|Disk quota exceeded/u.test(stderr))
    return new TrueupError("disk-full", { subject: command, detail });
  if (
    /fsck error|fsckObjects|error in (?:object|tree|commit|tag|blob)|object [0-9a-f]+: /u.test(stderr) &&
    /fetch|index-pack|unpack-objects/u.test(command)
  )
    return new TrueupError("repository-invalid", { detail: lastLines(stderr) });
  return new TrueupError("git-failed", { subject: command, detail });
}

/** An expected file system failure as the error of the table; anything else as it is. */
export function storageFailure(error: unknown, subject: string): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOSPC" || code === "EDQUOT")
    return new TrueupError("disk-full", { subject, detail: "a tree was being written into the cache", cause: error });
  return error;
}

/** The last few lines of what a program said, short enough for a message. */
export function lastLines(text: string): string {
  const lines = text.replace(/\p{Cc}/gu, (char) => (char === "\n" ? char : " ")).split("\n");
  const told = lines.map((line) => line.trim()).filter((line) => line !== "");
  return told.slice(-4).join("; ").slice(0, 600);
}
