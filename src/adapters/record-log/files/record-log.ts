import { TrueupError } from "../../../errors.ts";
import type { RecordLog } from "../../../ports/index.ts";
import { appendRecord, checkEnd } from "./append-record.ts";
import { errnoOf, systemCalls, type LogCalls } from "./log-calls.ts";
import { withLogLock } from "./log-lock.ts";
import { openPlace, type LogPlace } from "./log-place.ts";
import { readEnd, readWhole } from "./read-log.ts";

export interface RecordLogOptions {
  /** The session's directory, which exists. */
  readonly directory: string;
  /** Where the anchor lies; the session's directory unless said otherwise. */
  readonly anchorDirectory?: string;
  readonly calls?: LogCalls;
}

/** A session's records as JSON Lines: `records.jsonl`, full files as `records.1.jsonl` and on, and the `anchor` of their end. */
export function createRecordLog({ directory, anchorDirectory, calls = systemCalls }: RecordLogOptions): RecordLog {
  const place = openPlace(calls, directory, anchorDirectory);
  return {
    checkEnd: () => guarded(place, () => withLogLock(calls, place.lock, () => checkEnd(place))),
    append: (draft) => guarded(place, () => withLogLock(calls, place.lock, () => appendRecord(place, draft))),
    async readAll() {
      const { parseLog } = await import("../../../core/record/parse-log.ts");
      return guarded(place, () => withLockWhereWritable(place, () => readWhole(place, parseLog)));
    },
    readNewest: (limit) => guarded(place, async () => readEnd(place, limit)),
  };
}

const unwritable = ["EROFS", "EACCES", "EPERM", "ENOENT", "ENOSPC", "EDQUOT"];

/** Reads while nobody writes; where this process cannot take the lock it can only look. */
async function withLockWhereWritable<T>(place: LogPlace, act: () => T): Promise<T> {
  const state = { entered: false };
  const enter = (): T => {
    state.entered = true;
    return act();
  };
  return withLogLock(place.calls, place.lock, enter).catch((error: unknown) => {
    if (state.entered || !unwritable.includes(errnoOf(error) ?? "")) throw error;
    return act();
  });
}

/** A failure of the file system has the code of what the user can do about it. */
async function guarded<T>(place: LogPlace, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    const errno = errnoOf(cause);
    if (cause instanceof TrueupError || errno === null) throw cause;
    const full = ["ENOSPC", "EDQUOT", "EFBIG"].includes(errno);
    throw new TrueupError(full ? "disk-full" : "state-unwritable", { subject: place.current, detail: errno, cause });
  }
}
