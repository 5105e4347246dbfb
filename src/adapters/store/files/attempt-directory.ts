import { join } from "node:path";
import type { Digest } from "../../../core/digest.ts";
import { decodeAttempt, encodeAttempt, isAttemptId, type AttemptRecord } from "./attempt-format.ts";
import { replaceFile } from "./private-directory.ts";
import type { StateFiles } from "./state-files.ts";

/** Where the attempts and the locks of a task lie under the state directory. */
export interface TaskPaths {
  readonly attempts: string;
  /** Names this task's attempts, so that a damaged attempt only stops its own task. */
  readonly index: string;
  readonly locks: string;
}

/** The paths of one task. */
export function taskPaths(state: string, taskKey: Digest): TaskPaths {
  const attempts = join(state, "attempts");
  const index = join(attempts, ".tasks", taskKey.slice("sha256:".length));
  return { attempts, index, locks: join(index, "locks") };
}

/** A directory found for an attempt; `record` is null when it cannot be read. */
export interface FoundAttempt {
  readonly id: string;
  readonly directory: string;
  readonly record: AttemptRecord | null;
}

/** Reads one attempt's record; null when there is no such directory. */
export async function readAttempt(files: StateFiles, attempts: string, id: string): Promise<FoundAttempt | null> {
  const directory = join(attempts, id);
  if ((await files.inspect(directory)) === null) return null;
  const bytes = await files.read(join(directory, "attempt.json"));
  return { id, directory, record: bytes === null ? null : decodeAttempt(bytes, id) };
}

/** The attempts of a task, oldest first. A record of another task in this task's index counts as unreadable. */
export async function readTaskAttempts(
  files: StateFiles,
  paths: TaskPaths,
  taskKey: Digest,
): Promise<readonly FoundAttempt[]> {
  const ids = (await files.list(paths.index)).filter(isAttemptId);
  const found = await Promise.all(ids.map((id) => readAttempt(files, paths.attempts, id)));
  return found.flatMap((attempt) => {
    if (attempt === null) return [];
    return [attempt.record?.task_key === taskKey ? attempt : { ...attempt, record: null }];
  });
}

function birthPrefix(taskKey: Digest): string {
  return `.new-${taskKey.slice("sha256:".length)}-`;
}

/** Makes an attempt's directory under another name and gives it its own when complete: it is there whole, or not at all. */
export async function createAttemptDirectory(
  files: StateFiles,
  paths: TaskPaths,
  record: AttemptRecord,
): Promise<FoundAttempt> {
  const unborn = join(paths.attempts, `${birthPrefix(record.task_key)}${record.id}`);
  const directory = join(paths.attempts, record.id);
  await files.makeDirectory(join(unborn, "out"));
  await replaceFile(files, join(unborn, "attempt.json"), encodeAttempt(record));
  await files.writeSynced(join(paths.index, record.id), new Uint8Array());
  await files.syncDirectory(paths.index);
  await files.rename(unborn, directory);
  await files.syncDirectory(paths.attempts);
  return { id: record.id, directory, record };
}

/** Removes what a stop left of attempts that were never born. Only under the task's lock. */
export async function sweepUnborn(files: StateFiles, paths: TaskPaths, taskKey: Digest): Promise<void> {
  const left = (await files.list(paths.attempts)).filter((name) => name.startsWith(birthPrefix(taskKey)));
  for (const name of left) await files.remove(join(paths.attempts, name));
}
