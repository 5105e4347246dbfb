import { dirname, join } from "node:path";
import type { Digest } from "../../../core/digest.ts";
import { TrueupError } from "../../../errors.ts";
import type { Attempt, AttemptListing, AttemptStore, Clock, Ids } from "../../../ports/index.ts";
import {
  createAttemptDirectory,
  readAttempt,
  readTaskAttempts,
  sweepUnborn,
  taskPaths,
  type FoundAttempt,
  type TaskPaths,
} from "./attempt-directory.ts";
import { isAttemptId, stepOrder, type AttemptRecord } from "./attempt-format.ts";
import { createHeldAttempt } from "./held-attempt.ts";
import { openPrivateDirectory } from "./private-directory.ts";
import { readOwnIdentity, type ProcessIdentity } from "./process-identity.ts";
import { withStateErrors } from "./state-errors.ts";
import { createStateFiles, type StateFiles } from "./state-files.ts";
import { acquireTaskLock, readHolder, type TaskLock } from "./task-lock.ts";

export interface AttemptStoreOptions {
  /** Absolute path of the state directory; made when it does not exist. */
  readonly state: string;
  readonly clock: Clock;
  readonly ids: Ids;
  /** For tests that stop at an operation; the real file system otherwise. */
  readonly files?: StateFiles;
  /** For tests that play a process which is gone; this process otherwise. */
  readonly identity?: () => Promise<ProcessIdentity>;
}

interface StoreParts extends AttemptStoreOptions {
  readonly files: StateFiles;
  readonly identity: () => Promise<ProcessIdentity>;
}

type OpenRequest = { readonly taskKey: Digest; readonly newAttempt: boolean };

async function openDirectories(parts: StoreParts, paths: TaskPaths): Promise<void> {
  const uid = process.geteuid?.() ?? null;
  for (const directory of [parts.state, paths.attempts, dirname(paths.index), paths.index]) {
    await openPrivateDirectory(parts.files, directory, uid);
  }
}

function newRecord(parts: StoreParts, taskKey: Digest): AttemptRecord {
  return { version: 1, id: parts.ids.next(), task_key: taskKey, created_at: parts.clock.now(), steps: {}, intents: [] };
}

/** The attempt to go on with: the newest, when it is wanted and there is one. A damaged one is never passed over. */
function chooseAttempt(
  found: readonly FoundAttempt[],
  request: OpenRequest,
): { found: FoundAttempt; record: AttemptRecord } | null {
  const newest = found.at(-1);
  if (request.newAttempt || newest === undefined) return null;
  if (newest.record === null) throw new TrueupError("attempt-damaged", { subject: newest.directory });
  return { found: newest, record: newest.record };
}

async function openLocked(parts: StoreParts, request: OpenRequest, lock: TaskLock): Promise<Attempt> {
  const { files, clock } = parts;
  const paths = taskPaths(parts.state, request.taskKey);
  await sweepUnborn(files, paths, request.taskKey);
  const known = await readTaskAttempts(files, paths, request.taskKey);
  const chosen = chooseAttempt(known, request);
  const record = chosen?.record ?? newRecord(parts, request.taskKey);
  const { directory } = chosen?.found ?? (await createAttemptDirectory(files, paths, record));
  await openPrivateDirectory(files, directory, process.geteuid?.() ?? null);
  const earlier = known.filter(({ id }) => id !== record.id);
  return createHeldAttempt({
    files,
    clock,
    lock,
    directory,
    record,
    resumed: chosen !== null,
    earlierIntents: earlier.flatMap(({ id, record: old }) =>
      (old?.intents ?? []).map((intent) => ({ ...intent, attempt: id })),
    ),
    unreadableAttempts: earlier.flatMap(({ directory: path, record: old }) => (old === null ? [path] : [])),
  });
}

async function openAttempt(parts: StoreParts, request: OpenRequest): Promise<Attempt> {
  const paths = taskPaths(parts.state, request.taskKey);
  await openDirectories(parts, paths);
  const own = await parts.identity();
  const lock = await acquireTaskLock(parts.files, { directory: paths.locks, own, unique: parts.ids.next() });
  try {
    return await openLocked(parts, request, lock);
  } catch (error) {
    // The first error is the one to show; a lock left behind dies with this process.
    await lock.release().catch(() => undefined);
    throw error;
  }
}

async function findAttempts(parts: StoreParts): Promise<readonly AttemptListing[]> {
  const attempts = join(parts.state, "attempts");
  const own = await parts.identity();
  const listings: AttemptListing[] = [];
  for (const id of (await parts.files.list(attempts)).filter(isAttemptId)) {
    const found = await readAttempt(parts.files, attempts, id);
    if (found === null) continue;
    const { directory, record } = found;
    if (record === null) {
      listings.push({ state: "damaged", id, directory });
      continue;
    }
    const heldBy = await readHolder(parts.files, taskPaths(parts.state, record.task_key).locks, own);
    const steps = stepOrder.filter((step) => record.steps[step] !== undefined);
    listings.push({
      state: "readable",
      id,
      directory,
      taskKey: record.task_key,
      createdAt: record.created_at,
      steps,
      heldBy,
    });
  }
  return listings;
}

/** Attempts as files under a state directory that only its owner can enter. */
export function createAttemptStore(options: AttemptStoreOptions): AttemptStore {
  const parts = { identity: readOwnIdentity, ...options, files: withStateErrors(options.files ?? createStateFiles()) };
  return { open: (request) => openAttempt(parts, request), findAttempts: () => findAttempts(parts) };
}
