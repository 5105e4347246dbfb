import { dirname, join } from "node:path";
import type { Digest } from "../../../core/digest.ts";
import type { Attempt, Clock, PublishIntent, StepName } from "../../../ports/index.ts";
import { isArtifactName } from "./artifact-name.ts";
import { encodeAttempt, toStepData, withoutSteps, type AttemptRecord } from "./attempt-format.ts";
import { replaceFile } from "./private-directory.ts";
import type { StateFiles } from "./state-files.ts";
import type { TaskLock } from "./task-lock.ts";

export interface HeldAttemptParts {
  readonly files: StateFiles;
  readonly clock: Clock;
  readonly lock: TaskLock;
  readonly directory: string;
  readonly record: AttemptRecord;
  readonly resumed: boolean;
  /** Intents of this task's earlier attempts. */
  readonly earlierIntents: readonly PublishIntent[];
  readonly unreadableAttempts: readonly string[];
}

/** Runs acts one after the other, whatever became of those before. */
function createQueue(): <T>(act: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const next = last.then(act, act);
    last = next.catch(() => undefined);
    return next;
  };
}

/** Holds a record in memory and replaces the file with every change; memory only moves when the disk did. */
function createRecordFile(parts: HeldAttemptParts) {
  const path = join(parts.directory, "attempt.json");
  let current = parts.record;
  return {
    read: () => current,
    async update(change: (record: AttemptRecord) => AttemptRecord): Promise<void> {
      const next = change(current);
      if (next === current) return;
      await replaceFile(parts.files, path, encodeAttempt(next));
      current = next;
    },
  };
}

function withIntent(record: AttemptRecord, intent: { branch: string; digest: Digest; at: number }): AttemptRecord {
  const known = record.intents.some(({ branch, digest }) => branch === intent.branch && digest === intent.digest);
  return known ? record : { ...record, intents: [...record.intents, intent] };
}

async function writeArtifact(files: StateFiles, path: string, content: Uint8Array | string): Promise<void> {
  await files.makeDirectory(dirname(path));
  await replaceFile(files, path, typeof content === "string" ? new TextEncoder().encode(content) : content);
}

/** An attempt whose lock is held. Writes happen one at a time. */
export function createHeldAttempt(parts: HeldAttemptParts): Attempt {
  const { files, clock, directory, record } = parts;
  const inTurn = createQueue();
  const recordFile = createRecordFile(parts);
  const outDirectory = join(directory, "out");
  const artifactPath = (name: string): string => {
    if (!isArtifactName(name)) throw new TypeError(`not an artifact name: ${name}`);
    return join(outDirectory, name);
  };
  const save = (step: StepName, data: unknown): Promise<void> => {
    const result = { at: clock.now(), data: toStepData(data) };
    return recordFile.update((old) => ({ ...old, steps: { ...old.steps, [step]: result } }));
  };
  return {
    id: record.id,
    taskKey: record.task_key,
    createdAt: record.created_at,
    resumed: parts.resumed,
    directory,
    outDirectory,
    checkpoint: (step) => recordFile.read().steps[step]?.data ?? null,
    save: (step, data) => inTurn(() => save(step, data)),
    clear: (step) => inTurn(() => recordFile.update((old) => withoutSteps(old, step))),
    recordIntent: (intent) =>
      inTurn(() =>
        recordFile.update((old) => withIntent(old, { branch: intent.branch, digest: intent.digest, at: clock.now() })),
      ),
    get intents() {
      return [
        ...parts.earlierIntents,
        ...recordFile.read().intents.map((intent) => ({ ...intent, attempt: record.id })),
      ];
    },
    unreadableAttempts: parts.unreadableAttempts,
    writeArtifact: (name, content) => inTurn(async () => writeArtifact(files, artifactPath(name), content)),
    readArtifact: async (name) => files.read(artifactPath(name)),
    close: () => inTurn(() => parts.lock.release()),
  };
}
