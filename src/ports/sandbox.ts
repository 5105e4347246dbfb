import type { ExitFact, IsolationReport } from "../core/facts/index.ts";

/** What a phase may do. `fetch` may reach the executor's proxy socket; no other phase reaches any network. */
export type Phase = "fetch" | "scripts" | "agent" | "test";

/** A mount inside the sandbox, applied in order, before the root is made read-only. */
export type SandboxMount =
  | { readonly kind: "read-only"; readonly source: string; readonly target: string }
  | { readonly kind: "writable"; readonly source: string; readonly target: string }
  | { readonly kind: "tmpfs"; readonly target: string; readonly bytes: number };

export interface Limits {
  readonly wall_ms: number;
  /** Ends the run when neither stream moved for so long; null for none. */
  readonly idle_ms: number | null;
  readonly memory_bytes: number;
  readonly pids: number;
  /** Total bytes of stdout and stderr together; more ends the run. */
  readonly output_bytes: number;
}

/** The authenticated side channel: one end of a socket pair, descriptor `fd` inside (number in `TRUEUP_CHANNEL`). */
export interface ChannelRequest {
  /** 32 random bytes, written into the channel right after the start. */
  readonly key: Uint8Array;
  readonly max_bytes: number;
}

export interface SandboxRequest {
  readonly phase: Phase;
  readonly argv: readonly string[];
  /** Absolute path inside. */
  readonly cwd: string;
  /** The complete environment inside; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** The work tree, bound at `/repo`; absent for runs that need none. */
  readonly room?: Room;
  readonly roomAccess?: "writable" | "read-only";
  readonly mounts: readonly SandboxMount[];
  readonly limits: Limits;
  readonly channel?: ChannelRequest;
  /** `real` mounts /proc and costs a grade; `synthetic` is the default of the test phase. */
  readonly proc: "synthetic" | "real";
  readonly signal?: AbortSignal;
  /** Called as output arrives, for live display only. */
  readonly onOutput?: (stream: "stdout" | "stderr", chunk: Uint8Array) => void;
}

export interface SandboxResult {
  readonly exit: ExitFact;
  /** The code on the status descriptor; null when bubblewrap never wrote one. Both must agree, else `exit.error` is `codes-differ`. */
  readonly status_code: number | null;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** All bytes that came out of the channel, read to the end after the namespace was dead. */
  readonly channel: Uint8Array;
  readonly channel_truncated: boolean;
  /** Milliseconds since the epoch. */
  readonly started_at_ms: number;
  readonly duration_ms: number;
  /** Peak of the control group, null where there is none. */
  readonly peak_memory_bytes: number | null;
}

/** A work tree made from layers. The host side sees the merged tree at `hostPath` until `close`. */
export interface Room {
  /** Absolute path from which the executor may walk the merged tree (after the processes are dead). */
  readonly hostPath: string;
  readonly kind: IsolationReport["work_tree"];
  /**
   * Files written or removed since the room was opened, relative to its root, each with a stamp that differs after every such
   * act, also one that puts the old content back. Absent where the work tree is no overlay. Only while nothing runs in it.
   */
  readWritten?(): Promise<ReadonlyMap<string, string>>;
  close(): Promise<void>;
}

/** Layers, lowest first: a read-only checkout, then deltas. */
export interface RoomRequest {
  readonly base: string;
  readonly deltas: readonly string[];
  /** Extra empty directories that must exist as mount points, relative to the root. */
  readonly mountPoints: readonly string[];
  readonly bytes: number;
  /** Runs once the layers are no longer in use, after `close`. */
  readonly onClosed?: () => Promise<void>;
}

export interface DoctorLine {
  readonly name: string;
  readonly state: "ok" | "missing" | "limited";
  readonly detail: string;
  /** The exact line to type, when there is one. */
  readonly fix: string | null;
}

/** Runs programs apart from the host. Nothing ever falls through to less than what `probe` reports. */
export interface Sandbox {
  readonly name: string;
  /** Attacks itself from inside and reports; the result is cached for the life of the object. */
  probe(): Promise<{
    readonly report: IsolationReport;
    readonly lines: readonly DoctorLine[];
    readonly usable: boolean;
  }>;
  openRoom(request: RoomRequest): Promise<Room>;
  /** Throws `sandbox-missing`, `sandbox-forbidden`, `sandbox-failed`, `sandbox-survivor`; everything the program does is in the result. */
  run(request: SandboxRequest): Promise<SandboxResult>;
}
