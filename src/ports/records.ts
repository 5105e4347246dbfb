import type { AcceptanceContract } from "../core/contract/index.ts";
import type { Digest } from "../core/digest.ts";
import type { CommandRecord, LogReading, RecordDraft } from "../core/record/index.ts";

/** What was pinned outside the work tree when a session started. */
export interface Session {
  readonly version: 1;
  readonly id: string;
  /** Real path of the work tree's root. */
  readonly work_tree: string;
  readonly base: { readonly commit: string; readonly tree: string; readonly ref: string; readonly source: string };
  readonly contract: AcceptanceContract | null;
  readonly contract_digest: Digest | null;
  readonly policy: { readonly failed_records: "retries" | "any" };
  /** ISO 8601, UTC. */
  readonly started_at: string;
  readonly closed_at: string | null;
}

/** Sessions as files under the state directory, found by the real path of the work tree. */
export interface SessionStore {
  /**
   * Closes the work tree's open session, if any, and stores a new one. `tracked`: readable paths of base's tree, which
   * count in fingerprints also where they are ignored.
   */
  start(
    session: Omit<Session, "version" | "id" | "started_at" | "closed_at">,
    tracked?: readonly string[],
  ): Promise<Session>;
  /** The open session whose work tree holds `directory`, or null. `id` names one instead (`TRUEUP_SESSION`). */
  find(directory: string, id?: string): Promise<Session | null>;
  close(id: string): Promise<void>;
  list(): Promise<readonly Session[]>;
  /** Absolute path of the session's directory, 0700. */
  directoryOf(id: string): string;
}

/** One session's log: JSON Lines with a lock, a chain, an anchor, and rotation that drops nothing. */
export interface RecordLog {
  /** Throws `session-damaged` where the log could not be gone on with, so that no command starts that it cannot hold. */
  checkEnd(): Promise<void>;
  /** Chains and writes one record durably; the anchor stands before this returns. */
  append(draft: RecordDraft): Promise<CommandRecord>;
  /** Everything, for the gate: unbounded. */
  readAll(): Promise<LogReading>;
  /** The newest records, for people and agents: bounded by `limit`. Oldest first. */
  readNewest(limit: number): Promise<readonly CommandRecord[]>;
}

/** Fingerprints a work tree from a stat cache outside it. */
export interface TreeWatch {
  /** `sha256:...` over path, mode and content of every tracked or unignored file; null when it cannot be had. */
  fingerprint(): Promise<string | null>;
}

/** Commands that were started and have no record yet: what keeps a crash of the runner from leaving none. */
export interface StartedRuns {
  /**
   * Stores, before the command starts, the record that stands if this process dies, with room for the real one. Throws
   * `disk-full` or `state-unwritable`: then the command must not start.
   */
  reserve(draft: RecordDraft): Promise<void>;
  /** Gives the room back, for a record that finds the disk full. */
  shrink(commandId: string): Promise<void>;
  /** The real record stands. */
  settle(commandId: string): Promise<void>;
  /** The drafts whose runner died; each is given to one caller only, who appends it and then settles it. */
  takeOrphans(): Promise<readonly RecordDraft[]>;
  /** Commands that run now, with the pid of their runner. */
  running(): Promise<readonly { readonly draft: RecordDraft; readonly runner: number }[]>;
  /** Asks the runner of a command to end it, and waits until its record stands. */
  stop(commandId: string): Promise<"stopped" | "not-running" | "still-running">;
}
