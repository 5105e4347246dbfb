import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { Digest } from "../../../core/digest.ts";

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
export function readAnchor(file: string): LogAnchor | null | "damaged" {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  try {
    const value = JSON.parse(text) as Partial<LogAnchor> | null;
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

/** Replaces the anchor durably: a reader sees the old one or the new. */
export function writeAnchor(file: string, anchor: LogAnchor): void {
  const part = `${file}.${process.pid}.part`;
  try {
    writeFileSync(part, JSON.stringify(anchor), { mode: 0o600, flush: true });
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
  syncDirectoryOf(file);
}

function syncDirectoryOf(file: string): void {
  const fd = openSync(file.slice(0, file.lastIndexOf("/")) || "/", "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
