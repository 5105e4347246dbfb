import { TrueupError } from "../../../errors.ts";
import { errnoOf, type StateFiles } from "./state-files.ts";

const full = ["ENOSPC", "EDQUOT", "EFBIG"];

/** The coded error for a failed operation on the state directory; what has no `errno` is a bug and stays itself. */
export function stateError(error: unknown, path: string): unknown {
  const errno = errnoOf(error);
  if (error instanceof TrueupError || errno === null) return error;
  const code = full.includes(errno) ? "disk-full" : "state-unwritable";
  return new TrueupError(code, { subject: path, detail: errno, cause: error });
}

function guarded<T>(path: string, act: () => Promise<T>): Promise<T> {
  return act().catch((error: unknown) => {
    throw stateError(error, path);
  });
}

/** The same operations with coded errors: `disk-full` when no space is left, else `state-unwritable` with the cause. */
export function withStateErrors(files: StateFiles): StateFiles {
  return {
    read: (path) => guarded(path, () => files.read(path)),
    list: (path) => guarded(path, () => files.list(path)),
    inspect: (path) => guarded(path, () => files.inspect(path)),
    makeDirectory: (path) => guarded(path, () => files.makeDirectory(path)),
    writeSynced: (path, bytes) => guarded(path, () => files.writeSynced(path, bytes)),
    rename: (from, to) => guarded(to, () => files.rename(from, to)),
    link: (from, to) => guarded(to, () => files.link(from, to)),
    remove: (path) => guarded(path, () => files.remove(path)),
    syncDirectory: (path) => guarded(path, () => files.syncDirectory(path)),
  };
}
