import { appendFileSync, renameSync } from "node:fs";
import { redactText, type RedactionRules } from "../../../core/record/index.ts";
import type { OutputSink } from "../../../ports/index.ts";

/** A sink that people can read while the command runs. */
export interface ServiceOutput extends OutputSink {
  /** Writes what was held back. */
  close(): void;
}

/** Lines stand in the file when nothing more came for so long, in milliseconds. */
const idleMs = 200;
/** The most that is held back, in bytes: a line, or a private key whose end is awaited. */
const heldBytes = 64 * 1024;
/** Then a new file begins; the one before it is kept as `<file>.1`. */
const fileBytes = 2 ** 20;
const newline = 0x0a;

/**
 * Writes whole lines, redacted, to a file for its owner alone: secrets are looked for before anything stands on the disk,
 * in lines that are complete. The record has its own excerpt; a file that cannot be written only ends the reading along.
 */
export function createServiceOutput(file: string, rules: RedactionRules): ServiceOutput {
  const state: { held: Buffer; written: number; timer: NodeJS.Timeout | undefined; broken: boolean } = {
    held: Buffer.alloc(0),
    written: 0,
    timer: undefined,
    broken: false,
  };
  const write = (bytes: Buffer): void => {
    if (bytes.length === 0 || state.broken) return;
    try {
      appendFileSync(file, redactText(bytes.toString("utf8"), rules), { mode: 0o600 });
      state.written += bytes.length;
      if (state.written < fileBytes) return;
      renameSync(file, `${file}.1`);
      state.written = 0;
    } catch {
      state.broken = true;
    }
  };
  const flush = (): void => {
    state.timer = undefined;
    const end = wholeLines(state.held);
    write(state.held.subarray(0, end));
    state.held = state.held.subarray(end);
  };
  return {
    write(chunk) {
      state.held = Buffer.concat([state.held, chunk]);
      if (state.held.length > heldBytes) flush();
      state.timer ??= setTimeout(flush, idleMs).unref();
      return "more";
    },
    close() {
      clearTimeout(state.timer);
      write(state.held);
      state.held = Buffer.alloc(0);
    },
  };
}

/** How far the bytes can be judged: up to the last newline, and not into a private key that is not whole yet. */
function wholeLines(bytes: Buffer): number {
  const end = bytes.lastIndexOf(newline) + 1;
  const begin = bytes.lastIndexOf("-----BEGIN ");
  const open = begin >= 0 && bytes.indexOf("-----END ", begin) < 0;
  const safe = open ? Math.min(end, bytes.lastIndexOf(newline, begin) + 1) : end;
  return safe === 0 && bytes.length > heldBytes ? bytes.length : safe;
}
