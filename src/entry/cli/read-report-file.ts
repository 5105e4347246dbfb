import { constants } from "node:fs";
import { lstat, open, type FileHandle } from "node:fs/promises";
import path from "node:path";
import type { Stats } from "node:fs";
import { TrueupError } from "../../errors.ts";
import { reportByteLimit } from "../../runners/index.ts";
import { inputFailure } from "./read-input.ts";
import type { Terminal } from "./terminal.ts";

/** The bytes of a report and when they were last written (milliseconds since 1970), or its size where it is too long. */
export type ReportFile =
  | { readonly kind: "bytes"; readonly bytes: Buffer; readonly writtenAt: number }
  | { readonly kind: "too-long"; readonly size: number };

/**
 * Reads a report that the user named. Whatever stands there is looked at before it is opened, and opened without
 * waiting: a pipe or a device in a report's place never hangs the reader, and a link is not followed. Throws
 * `file-not-found` and `file-unreadable`. A file beyond the limit is not read at all.
 */
export async function readReportFile(terminal: Terminal, file: string): Promise<ReportFile> {
  const absolute = path.resolve(terminal.cwd, file);
  try {
    refuseUnlessRegular(await lstat(absolute), file);
    const handle = await open(absolute, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const info = await handle.stat();
      refuseUnlessRegular(info, file);
      if (info.size > reportByteLimit) return { kind: "too-long", size: info.size };
      return await readWhole(handle, info);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw error instanceof TrueupError ? error : inputFailure(file, error);
  }
}

function refuseUnlessRegular(info: Stats, file: string): void {
  if (info.isFile()) return;
  const detail = info.isSymbolicLink()
    ? "it is a symbolic link"
    : info.isDirectory()
      ? "it is a directory"
      : info.isFIFO()
        ? "it is a pipe"
        : "it is a device or socket";
  throw new TrueupError("file-unreadable", { subject: file, detail, hint: "Name the report itself, a regular file." });
}

/** All bytes up to the limit; one that grew beyond it while it was read is too long. */
async function readWhole(handle: FileHandle, info: Stats): Promise<ReportFile> {
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(1 << 20), 0, 1 << 20, null);
    if (bytesRead === 0) return { kind: "bytes", bytes: Buffer.concat(chunks, size), writtenAt: info.mtimeMs };
    chunks.push(buffer.subarray(0, bytesRead));
    size += bytesRead;
    if (size > reportByteLimit) return { kind: "too-long", size };
  }
}
