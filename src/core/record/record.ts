import type { Digest } from "../digest.ts";

/** Why there is no exit code to believe. First cause wins. */
export interface RecordError {
  readonly kind: "not-found" | "not-executable" | "spawn" | "timeout" | "signal" | "output-lost" | "runner-fault";
  readonly detail: string;
  /** Name of the signal, `SIGKILL`, where one ended the command. */
  readonly signal: string | null;
}

/** The two ends of a stream after redaction; a pure function of its bytes and the rules. */
export interface RecordedStream {
  readonly head: string;
  readonly tail: string;
  readonly omitted_lines: number;
  readonly omitted_bytes: number;
  /** How many secrets were replaced. */
  readonly redactions: number;
}

/** One command as it ran: whatever happened, there is exactly one. */
export interface CommandRecord {
  readonly version: 1;
  readonly command_id: string;
  /** The record this one retries, or null. */
  readonly parent_command_id: string | null;
  readonly session_id: string;
  readonly task_id: string | null;
  readonly verification_id: string | null;
  /** The exact array, redacted. Bytes that are not UTF-8 stand as `\xHH`. */
  readonly argv: readonly string[];
  /** Absolute, redacted. */
  readonly cwd: string;
  /** Criteria of the pinned contract whose command this is, `tests[0]`, matched before redaction. */
  readonly matches: readonly string[];
  /** What the caller expected, written before the command started. */
  readonly expectation: string | null;
  /** ISO 8601, UTC, milliseconds. */
  readonly started_at: string;
  readonly duration_ms: number;
  readonly exit_code: number | null;
  readonly error: RecordError | null;
  readonly stdout: RecordedStream;
  readonly stderr: RecordedStream;
  /** Fingerprint of the work tree, or null when it could not be had: null never satisfies acceptance. */
  readonly tree_before: string | null;
  readonly tree_after: string | null;
  readonly actor: "agent" | "executor" | "ci";
  readonly role: "iteration" | "acceptance" | "proof" | "bootstrap" | "service";
  readonly contract_digest: Digest | null;
  /** Digest of the record before this one in the session's log, null for the first. */
  readonly prev: Digest | null;
  /** Digest of this record's canonical JSON without `digest`. */
  readonly digest: Digest;
}

/** A record before the log has chained it. */
export type RecordDraft = Omit<CommandRecord, "prev" | "digest">;

/** What was read of a session's whole log, with every fault that keeps it from being believed. */
export interface LogReading {
  /** Oldest first, across every rotated file. */
  readonly records: readonly CommandRecord[];
  readonly faults: readonly LogFault[];
  /** Whether the anchor outside the log names exactly this end of the chain. */
  readonly anchored: boolean;
}

/** Every fault blocks as `log-broken`. */
export interface LogFault {
  readonly kind:
    | "torn-line"
    | "broken-chain"
    | "missing-file"
    | "unknown-version"
    | "invalid-record"
    | "anchor-differs"
    | "unreadable";
  readonly detail: string;
}
