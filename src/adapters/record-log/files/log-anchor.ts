import type { Digest } from "../../../core/digest.ts";
import { readBytes, undo, writeNew, type LogCalls } from "./log-calls.ts";

/** What the log was when its last record was written: an end that the log's own bytes cannot move. */
export interface LogAnchor {
  readonly version: 1;
  readonly count: number;
  /** Digest of the newest record, null when there is none. */
  readonly digest: Digest | null;
  /** Size of the current file in bytes. */
  readonly bytes: number;
  /** How many full files lie beside it. */
  readonly rotated: number;
}

export const emptyAnchor: LogAnchor = { version: 1, count: 0, digest: null, bytes: 0, rotated: 0 };

/** The stored anchor, `null` when there is none, `damaged` when the file is not an anchor of this version. */
export function readAnchor(calls: LogCalls, file: string): LogAnchor | null | "damaged" {
  const bytes = readBytes(calls, file);
  if (bytes === null) return null;
  try {
    const value = JSON.parse(Buffer.from(bytes).toString("utf8")) as Partial<LogAnchor> | null;
    return isAnchor(value) ? value : "damaged";
  } catch {
    return "damaged";
  }
}

function isAnchor(value: Partial<LogAnchor> | null): value is LogAnchor {
  if (value === null || typeof value !== "object" || value.version !== 1) return false;
  const counts = [value.count, value.bytes, value.rotated];
  const digest = value.digest === null || /^sha256:[0-9a-f]{64}$/u.test(value.digest ?? "");
  return digest && counts.every((one) => typeof one === "number" && Number.isSafeInteger(one) && one >= 0);
}

/**
 * Replaces the anchor: a reader sees the old one or the new. The move is the last step, so that a failure leaves the old;
 * should the machine stop before the move is on the disk, the log is one record ahead, which its next writer adopts.
 */
export function writeAnchor(calls: LogCalls, file: string, anchor: LogAnchor): void {
  const part = `${file}.part`;
  try {
    writeNew(calls, part, { text: JSON.stringify(anchor), durable: true });
    calls.renameSync(part, file);
  } catch (error) {
    undo(() => calls.rmSync(part, { force: true }));
    throw error;
  }
}
