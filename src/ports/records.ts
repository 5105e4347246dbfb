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
  /** Closes the work tree's open session, if any, and stores a new one. */
  start(session: Omit<Session, "version" | "id" | "started_at" | "closed_at">): Promise<Session>;
  /** The open session whose work tree holds `directory`, or null. `id` names one instead (`TRUEUP_SESSION`). */
  find(directory: string, id?: string): Promise<Session | null>;
  close(id: string): Promise<void>;
  list(): Promise<readonly Session[]>;
  /** Absolute path of the session's directory, 0700. */
  directoryOf(id: string): string;
}

/** One session's log: JSON Lines with a lock, a chain, an anchor, and rotation that drops nothing. */
export interface RecordLog {
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
