import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, type Stats } from "node:fs";
import type { BytePath } from "../../../core/change/index.ts";
import { decodePath } from "../../../core/change/index.ts";
import { TrueupError } from "../../../errors.ts";
import type { ObjectFormat } from "./mirror-store.ts";
import { hashFramed, objectId, startObjectHash } from "./object-id.ts";
import { absolute, unreadable } from "./walk-directory.ts";

/** A file as it was read: the id its raw bytes would have as a blob, and whether its owner may execute it. */
export interface FileReading {
  readonly id: string;
  readonly mode: "100644" | "100755";
  readonly size: number;
}

/** Reads files below one root, raw, and notices when one changes under the reading. */
export interface FileReader {
  hash(path: BytePath): FileReading;
  /** The bytes again; throws `tree-changed-while-read` when they are not those of `id`. */
  read(path: BytePath, id: string): Buffer;
  /** A symlink's target, raw. */
  readLink(path: BytePath): Buffer;
}

/** 1 GiB: a changed file longer than this is refused; unchanged ones may have any length. */
const largest = 2 ** 30;
const pieceBytes = 2 ** 20;
const frame = 64;
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** A reader that keeps one buffer for all files. */
export function createFileReader(root: BytePath, format: ObjectFormat): FileReader {
  const buffer = Buffer.allocUnsafe(frame + pieceBytes);
  return {
    hash: (path) =>
      withFile(root, path, (fd, info) => ({
        id:
          info.size < pieceBytes
            ? hashSmall(fd, info, { buffer, format, path })
            : hashLarge(fd, info, { buffer, format, path }),
        mode: (info.mode & 0o100) === 0 ? "100644" : "100755",
        size: info.size,
      })),
    read: (path, id) =>
      withFile(root, path, (fd, info) => {
        if (info.size > largest)
          throw new TrueupError("tree-unreadable", {
            subject: decodePath(path).path,
            detail: `${info.size} bytes are too many for one changed file`,
            hint: "A new or changed file may hold 1 GiB. Take it out of the change, or name it in a committed `.gitignore`.",
          });
        const bytes = Buffer.allocUnsafe(info.size);
        if (readFully(fd, bytes, info.size) !== info.size || objectId(format, "blob", bytes) !== id)
          throw changed(path);
        return bytes;
      }),
    readLink: (path) => {
      try {
        return readlinkSync(absolute(root, path), { encoding: "buffer" });
      } catch (error) {
        throw unreadable(path, error);
      }
    },
  };
}

interface Hashing {
  readonly buffer: Buffer;
  readonly format: ObjectFormat;
  readonly path: BytePath;
}

function hashSmall(fd: number, info: Stats, { buffer, format, path }: Hashing): string {
  const head = `blob ${info.size}\0`;
  const start = buffer.write(head, 0, "latin1");
  // One byte more than expected is asked for, so that a file that grew is seen.
  const length = readFully(fd, buffer.subarray(start, start + info.size + 1), info.size);
  if (length !== info.size) throw changed(path);
  return hashFramed(format, buffer.subarray(0, start + length));
}

function hashLarge(fd: number, info: Stats, { buffer, format, path }: Hashing): string {
  const hash = startObjectHash(format, "blob", info.size);
  let total = 0;
  for (;;) {
    const length = readSync(fd, buffer, 0, buffer.length, null);
    if (length === 0) break;
    total += length;
    hash.update(buffer.subarray(0, length));
  }
  if (total !== info.size) throw changed(path);
  return hash.digest("hex");
}

/** Reads until `enough` bytes are there or the file ends: one system call for almost every file. */
function readFully(fd: number, target: Buffer, enough: number): number {
  let total = 0;
  while (total < enough) {
    const length = readSync(fd, target, total, target.length - total, null);
    if (length === 0) break;
    total += length;
  }
  return total;
}

function withFile<T>(root: BytePath, path: BytePath, use: (fd: number, info: Stats) => T): T {
  let fd: number;
  try {
    fd = openSync(absolute(root, path), flags);
  } catch (error) {
    throw unreadable(path, error);
  }
  try {
    const before = fstatSync(fd);
    if (!before.isFile()) throw changed(path);
    const result = use(fd, before);
    const after = fstatSync(fd);
    if (after.size !== before.size || after.mtimeMs !== before.mtimeMs || after.ctimeMs !== before.ctimeMs)
      throw changed(path);
    return result;
  } catch (error) {
    throw error instanceof TrueupError ? error : unreadable(path, error);
  } finally {
    closeSync(fd);
  }
}

function changed(path: BytePath): TrueupError {
  return new TrueupError("tree-changed-while-read", { subject: decodePath(path).path });
}
