import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, type BigIntStats } from "node:fs";

const chunkBytes = 2 ** 18;

/** What of a file's stats tells one content from another; its mode stands last. */
export function signatureOf(stats: BigIntStats): string {
  return `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs} ${modeOf(stats)}`;
}

/** Git's modes for files and links; for what git cannot hold, its kind. */
function modeOf(stats: BigIntStats): string {
  if (stats.isFile()) return (stats.mode & 0o100n) === 0n ? "100644" : "100755";
  if (stats.isSymbolicLink()) return "120000";
  return (stats.mode & 0o170000n).toString(8);
}

/** SHA-256 of a file's raw bytes or a link's target, hex. Throws when it is not what was looked at, or changes while it is read. */
export function hashEntry(path: string | Buffer, stats: BigIntStats): string {
  if (stats.isSymbolicLink()) return createHash("sha256").update(readlinkSync(path, "buffer")).digest("hex");
  if (!stats.isFile()) return "-";
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const hash = createHash("sha256");
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, Number(stats.size) + 1));
    for (;;) {
      const length = readSync(fd, chunk, 0, chunk.length, null);
      if (length === 0) break;
      hash.update(chunk.subarray(0, length));
    }
    if (signatureOf(fstatSync(fd, { bigint: true })) !== signatureOf(stats)) throw changed();
    return hash.digest("hex");
  } finally {
    closeSync(fd);
  }
}

function changed(): Error {
  return Object.assign(new Error("the file changed while it was read"), { code: "ESTALE" });
}
