/** Where a stream's bytes go. `stop`: nobody will read more, so the command may learn it as from any closed pipe. */
export interface OutputSink {
  /** A promise means: hold the command back until it resolves. Never rejects. */
  write(chunk: Uint8Array): SinkAnswer | Promise<SinkAnswer>;
}

export type SinkAnswer = "more" | "stop";

export interface ProcessRequest {
  /** The exact words, at least one; bytes, because a word need not be UTF-8. No shell reads them. */
  readonly argv: readonly Uint8Array[];
  /** The complete environment; the runner adds `TRUEUP_RUN_ID`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Marks every process of this run, so that the whole tree can be found again. */
  readonly runId: string;
  /** Null: no limit. */
  readonly timeoutMs: number | null;
  readonly stdout: OutputSink;
  readonly stderr: OutputSink;
}

/** A command that did not start, and how the system said so. */
export interface StartFailure {
  readonly kind: "not-found" | "not-executable" | "spawn";
  readonly detail: string;
}

/** How a command ended. When this is known every process of the run is dead, except `survivors`. */
export interface ProcessEnd {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  /** The first signal that was passed on to it, or null. */
  readonly interruptedBy: string | null;
  /** Streams whose end was never seen: something that is not of this run holds them open. */
  readonly outputLost: readonly ("stdout" | "stderr")[];
  /** Processes of the run that would not die. */
  readonly survivors: readonly number[];
}

export interface RunningProcess {
  readonly pid: number;
  /** Passes a signal on to the command's group; the second ends the whole tree at once. */
  interrupt(signal: NodeJS.Signals): void;
  readonly ended: Promise<ProcessEnd>;
}

export type ProcessStart =
  | { readonly outcome: "started"; readonly process: RunningProcess }
  | { readonly outcome: "failed"; readonly failure: StartFailure };

/** Runs one command in this directory: own process group, standard input inherited, no shell, the whole tree dead at the end. */
export interface ProcessRunner {
  start(request: ProcessRequest): Promise<ProcessStart>;
  /** Ends what is left of a run whose runner died; returns the processes that would not. */
  endLeftovers(runId: string): Promise<readonly number[]>;
}
