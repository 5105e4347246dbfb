import path from "node:path";
import type { LogCalls } from "./log-calls.ts";
import { errnoOf } from "./log-calls.ts";

/** Where the files of one log lie, and the calls that reach them. */
export interface LogPlace {
  readonly calls: LogCalls;
  readonly directory: string;
  /** The file that grows. */
  readonly current: string;
  readonly anchor: string;
  readonly lock: string;
}

/** `anchorDirectory`: where the anchor lies when not beside the log. */
export function openPlace(calls: LogCalls, directory: string, anchorDirectory = directory): LogPlace {
  return {
    calls,
    directory,
    current: path.join(directory, "records.jsonl"),
    anchor: path.join(anchorDirectory, "anchor"),
    lock: path.join(directory, "records.lock"),
  };
}

/** A full file that was set aside; 1 is the oldest. */
export function rotatedFile(place: LogPlace, number: number): string {
  return path.join(place.directory, `records.${number}.jsonl`);
}

/** The highest number of a full file that is there; 0 when there is none. */
export function highestRotated({ calls, directory }: LogPlace): number {
  const names = namesIn(calls, directory);
  return Math.max(0, ...names.map((name) => Number(/^records\.([1-9]\d{0,8})\.jsonl$/u.exec(name)?.[1] ?? 0)));
}

function namesIn(calls: LogCalls, directory: string): readonly string[] {
  try {
    return calls.readdirSync(directory);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return [];
    throw error;
  }
}
