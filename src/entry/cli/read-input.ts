import { open, stat, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { TrueupError } from "../../errors.ts";
import type { Terminal } from "./terminal.ts";

/** 1 MiB: no task or contract that a person can read is longer. */
const longest = 2 ** 20;
/** Standard input and the shell's `<(...)`: pipes that somebody has opened for us already. */
const openPipe = /^\/dev\/(?:stdin|fd\/[0-9]+)$/u;

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is nothing at this path",
  ENOTDIR: "a part of the path is no directory",
  ELOOP: "its symbolic links lead in a circle",
  ENAMETOOLONG: "the name is too long",
  EACCES: "permission denied",
  EPERM: "permission denied",
};

/**
 * Reads a text file that the user named, without a byte order mark. Throws `file-not-found`, or `file-unreadable` for
 * what is no regular file, longer than 1 MiB, or not UTF-8: a byte read as something else would be judged as something
 * else. `-` is not special.
 */
export async function readInput(terminal: Terminal, file: string): Promise<string> {
  return decodeText(await readInputBytes(terminal, file), file);
}

/** The bytes of a file that the user named, whatever they are; throws as `readInput` does. */
export async function readInputBytes(terminal: Terminal, file: string): Promise<Buffer> {
  const absolute = path.resolve(terminal.cwd, file);
  try {
    await refuseUnlessReadable(absolute, file);
    const handle = await open(absolute, "r");
    try {
      return await readBounded(handle, file);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw error instanceof TrueupError ? error : inputFailure(file, error);
  }
}

/** Decodes UTF-8 strictly. Throws `file-unreadable` with the place of the first byte that is something else. */
export function decodeText(bytes: Buffer, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    const detail = wide ? "it is UTF-16" : `byte ${firstStrangeByte(bytes)} is not UTF-8`;
    throw new TrueupError("file-unreadable", { subject: file, detail, hint: "Save the file as UTF-8.", cause });
  }
}

function firstStrangeByte(bytes: Buffer): number {
  const again = Buffer.from(bytes.toString("utf8"));
  const at = again.findIndex((byte, index) => byte !== bytes[index]);
  return (at < 0 ? again.length : at) + 1;
}

async function refuseUnlessReadable(absolute: string, file: string): Promise<void> {
  const info = await stat(absolute);
  if (info.isFile() || openPipe.test(absolute)) return;
  const detail = info.isDirectory() ? "it is a directory" : info.isFIFO() ? "it is a pipe" : "it is a device or socket";
  throw new TrueupError("file-unreadable", { subject: file, detail, hint: "Name a regular file." });
}

async function readBounded(handle: FileHandle, file: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(65_536), 0, 65_536, null);
    if (bytesRead === 0) return Buffer.concat(chunks, length);
    chunks.push(buffer.subarray(0, bytesRead));
    length += bytesRead;
    if (length > longest)
      throw new TrueupError("file-unreadable", {
        subject: file,
        detail: "it is longer than 1 MiB",
        hint: "Name the task or the contract itself; long material belongs into the repository.",
      });
  }
}

/** What went wrong when a file that the user named was read, in the words of the table. */
export function inputFailure(file: string, error: unknown): unknown {
  const { code = "" } = error as NodeJS.ErrnoException;
  const detail = reasons[code];
  if (code === "ENOENT" || code === "ENOTDIR")
    return new TrueupError("file-not-found", { subject: file, cause: error });
  if (detail !== undefined) return new TrueupError("file-unreadable", { subject: file, detail, cause: error });
  return new TrueupError("file-unreadable", { subject: file, detail: code || String(error), cause: error });
}
