import type { Digest } from "../core/digest.ts";
import type { StepName } from "./machine.ts";

/** What we were about to publish, stored before the push so that a crash between push and record can be told apart. */
export interface PublishIntent {
  readonly branch: string;
  /** The change digest the branch is named after. */
  readonly digest: Digest;
  /** Milliseconds since the epoch, when the intent was stored. */
  readonly at: number;
  /** The attempt that stored it. */
  readonly attempt: string;
}

/** One execution of one task, held under the task's lock until `close`. Nothing it stores is ever half written. */
export interface Attempt {
  readonly id: string;
  readonly taskKey: Digest;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** True when this attempt was found and not made. */
  readonly resumed: boolean;
  /** Absolute path; private to the executor (0700). */
  readonly directory: string;
  /** Absolute path of the artifacts. */
  readonly outDirectory: string;
  /** What `save` stored for the step, or null. The shape is the caller's to check: the file is only known to be JSON. */
  checkpoint(step: StepName): unknown;
  /** Stores a step's result; `data` is JSON and not null. Returns when it would survive a power cut. */
  save(step: StepName, data: unknown): Promise<void>;
  /** Forgets a step and all later ones. */
  clear(stepsFrom: StepName): Promise<void>;
  /** Stores what is about to be pushed. The same branch and digest twice is stored once. */
  recordIntent(intent: { readonly branch: string; readonly digest: Digest }): Promise<void>;
  /** The intents of every attempt of this task that can be read, oldest first. */
  readonly intents: readonly PublishIntent[];
  /** Earlier attempts of this task whose record cannot be read: their intents are unknown, not absent. */
  readonly unreadableAttempts: readonly string[];
  /** Writes one file under `outDirectory`; `name` may hold `/`. The old or the new content is there, never a part. */
  writeArtifact(name: string, content: Uint8Array | string): Promise<void>;
  /** An artifact's bytes, or null when there is none. */
  readArtifact(name: string): Promise<Uint8Array | null>;
  /** Releases the task's lock; may be called again when that failed. */
  close(): Promise<void>;
}

/** One line of a listing of attempts, newest last. */
export type AttemptListing =
  | {
      readonly state: "readable";
      readonly id: string;
      readonly directory: string;
      readonly taskKey: Digest;
      readonly createdAt: number;
      readonly steps: readonly StepName[];
      /** The process that is delivering the task now, or null. */
      readonly heldBy: number | null;
    }
  | { readonly state: "damaged"; readonly id: string; readonly directory: string };

/** Attempts as files in the state directory. Throws `attempt-locked`, `attempt-damaged`, `state-*` and `disk-full`. */
export interface AttemptStore {
  /** Finds the newest attempt of a task, or makes one; `newAttempt` always makes one. Takes the task's lock first. */
  open(request: { readonly taskKey: Digest; readonly newAttempt: boolean }): Promise<Attempt>;
  findAttempts(): Promise<readonly AttemptListing[]>;
}
