import { createHash } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { TrueupError } from "../../../errors.ts";
import type { HeldOutStore } from "../../../ports/index.ts";

/** Held-out tests as files named by their digest below `directory`, which is in the state directory: 0700, files 0600. */
export function createHeldOutFiles(directory: string): HeldOutStore {
  const fileOf = (sha256: string): string => path.join(directory, "sha256", sha256.slice(0, 2), sha256);
  return {
    async keep(bytes) {
      const sha256 = digestOf(bytes);
      const file = fileOf(sha256);
      await guarded(file, async () => {
        await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
        await replaceFile(file, bytes);
      });
      return sha256;
    },
    async read(sha256) {
      const file = fileOf(sha256);
      const bytes = await guarded(file, () => readOrNull(file));
      if (bytes !== null && digestOf(bytes) !== sha256) throw new TrueupError("held-out-damaged", { subject: sha256 });
      return bytes;
    },
  };
}

function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

async function readOrNull(file: string): Promise<Uint8Array | null> {
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
}

/** A reader sees all of the bytes or no file; they are on the disk before the name is. */
async function replaceFile(file: string, bytes: Uint8Array): Promise<void> {
  const part = `${file}.${process.pid}.part`;
  try {
    const handle = await open(part, "w", 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

async function guarded<T>(subject: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (cause instanceof TrueupError || code === undefined) throw cause;
    const full = code === "ENOSPC" || code === "EDQUOT";
    throw new TrueupError(full ? "disk-full" : "state-unwritable", { subject, detail: code, cause });
  }
}
