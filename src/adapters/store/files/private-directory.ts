import { basename, dirname, join } from "node:path";
import { TrueupError } from "../../../errors.ts";
import type { StateFiles } from "./state-files.ts";

/**
 * Makes a directory that only its owner can enter, or checks that it is one.
 * Throws `state-insecure` when others may enter it or own it, `state-unwritable` when something else has its name.
 */
export async function openPrivateDirectory(files: StateFiles, path: string, uid: number | null): Promise<void> {
  if ((await files.inspect(path)) === null) await files.makeDirectory(path);
  const state = await files.inspect(path);
  if (state === null || !state.directory) {
    throw new TrueupError("state-unwritable", { subject: path, detail: "not a directory" });
  }
  if (uid !== null && state.uid !== uid) {
    throw new TrueupError("state-insecure", { subject: path, detail: `owned by user ${state.uid}` });
  }
  if ((state.mode & 0o077) !== 0) {
    throw new TrueupError("state-insecure", { subject: path, detail: `mode ${state.mode.toString(8)}` });
  }
}

/** Replaces a file so that every reader sees the old or the new bytes. One writer at a time, which the task's lock gives. */
export async function replaceFile(files: StateFiles, path: string, bytes: Uint8Array): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.tmp`);
  await files.writeSynced(temporary, bytes).catch(async (error: unknown) => {
    await files.remove(temporary).catch(() => undefined);
    throw error;
  });
  await files.rename(temporary, path);
  await files.syncDirectory(dirname(path));
}
