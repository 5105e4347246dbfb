import { TrueupError } from "../../errors.ts";

/** Node's errors of the operating system: an `errno` and the call that got it. */
interface SystemError extends Error {
  readonly code: string;
  readonly syscall: string;
  readonly path?: string;
}

const full: readonly string[] = ["ENOSPC", "EDQUOT"];
const refused: readonly string[] = ["EACCES", "EPERM", "EROFS"];

/**
 * Whatever ended a command as an error of the table: a full disk or a refusal of the system that no adapter has named
 * comes with its call and path, anything else is a bug of ours and keeps its stack in `cause`.
 */
export function describeError(error: unknown): TrueupError {
  if (error instanceof TrueupError) return error;
  if (!isSystemError(error)) return new TrueupError("internal-error", { detail: wordsOf(error), cause: error });
  const more = { subject: error.path ?? error.syscall, cause: error };
  if (full.includes(error.code))
    return new TrueupError("disk-full", { ...more, subject: error.path ?? "the state or the cache directory" });
  const detail = `${error.code} on ${error.syscall}`;
  return new TrueupError(refused.includes(error.code) ? "access-denied" : "system-failed", { ...more, detail });
}

function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && "syscall" in error && "code" in error && typeof error.code === "string";
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 500) : String(error);
}
