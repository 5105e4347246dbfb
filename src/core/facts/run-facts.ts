import type { Digest } from "../digest.ts";

/** How a process ended. First cause wins: a run cut by its time limit is `timeout`, whatever code came after. */
export interface ExitFact {
  /** The exit code, or null when there is none to believe. */
  readonly code: number | null;
  readonly error:
    | null
    | "timeout"
    | "idle"
    | "signal"
    | "memory"
    | "output"
    | "not-found"
    | "not-executable"
    | "spawn"
    | "codes-differ"
    | "cancelled"
    | "survivor";
  readonly signal: string | null;
}

/** The two ends of an output stream; a pure function of its bytes. */
export interface Excerpt {
  readonly head: string;
  readonly tail: string;
  readonly omitted_lines: number;
  readonly omitted_bytes: number;
}

/** Identity of one test case: file, suite path, title, ordinal among equals, and project. */
export interface TestIdentity {
  readonly project: string;
  /** Relative to the repository root. */
  readonly file: string;
  readonly suite: readonly string[];
  readonly title: string;
  /** 0 for the first case of that file, suite and title, 1 for the second. */
  readonly ordinal: number;
}

export interface TestCase extends TestIdentity {
  /** `passed` is a plain pass only: not retried, not an expected failure. */
  readonly state: "passed" | "failed" | "skipped" | "todo" | "pending" | "expected-failure" | "retried";
  readonly errors: readonly string[];
}

export interface TestModule {
  readonly project: string;
  readonly file: string;
  readonly state: "passed" | "failed" | "skipped" | "pending";
  /** Errors of the file itself: it did not load, a hook threw. */
  readonly errors: readonly string[];
}

/** A reason not to believe a run's evidence. Any fault blocks. */
export interface EvidenceFault {
  readonly code:
    | "witness-absent"
    | "frame-broken"
    | "frame-sequence"
    | "frame-mac"
    | "frame-after-end"
    | "end-missing"
    | "end-twice"
    | "lists-differ"
    | "counts-differ"
    | "second-witness-differs"
    | "second-witness-unreadable"
    | "isolation-not-seen"
    | "exit-differs";
  readonly detail: string;
}

/** A file argument of a test command, and the directories of the tree from which it would name a file. */
export interface FoundElsewhere {
  readonly argument: string;
  /** Relative to the repository root, `""` is the root; sorted, at most five. */
  readonly directories: readonly string[];
}

/**
 * What a run was for: the judged tree; the untouched base; base once more, for what failed on head; head's new and changed
 * test files over base's sources; base's copies of changed test files over head's sources; head with must-fail tests planted.
 */
export type RunPurpose = "head" | "base" | "base-again" | "head-tests-on-base" | "base-tests-on-head" | "canary";

/** One run of one test command over one git tree in the clean room. */
export interface RunFacts {
  /** Which entry of the contract's `tests`. */
  readonly criterion: number;
  readonly purpose: RunPurpose;
  readonly tree: string;
  readonly declared_argv: readonly string[];
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Arguments that name no file in `cwd` but one in each of these directories; absent when there are none. */
  readonly elsewhere?: readonly FoundElsewhere[];
  /** Files of the tree that were not as before when the run had ended: changed or gone; absent when there are none. */
  readonly tree_written?: readonly string[];
  /** Files of the tree that were written or removed while it ran, and put back before it ended; absent when there are none. */
  readonly tree_put_back?: readonly string[];
  readonly runner: { readonly name: string; readonly version: string };
  readonly exit: ExitFact;
  /** ISO 8601, UTC; absent in facts of versions that did not say. */
  readonly started_at?: string;
  readonly duration_ms: number;
  /** Every signal's fault, empty when all agree. */
  readonly faults: readonly EvidenceFault[];
  readonly cases: readonly TestCase[];
  readonly modules: readonly TestModule[];
  /** Unhandled errors and rejections the runner saw outside tests. */
  readonly unhandled: readonly string[];
  /** Why the runner itself says it ended. */
  readonly reason: "passed" | "failed" | "interrupted" | "unknown";
  readonly second_witness: "absent" | "agrees" | "differs";
  /** Whether a test without an assertion fails in this run. */
  readonly assertions_required: boolean;
  /** Tests that pass here and not where each must assert, from a second run; absent when there was none to compare. */
  readonly without_assertions?: readonly TestIdentity[];
  readonly stdout: Excerpt;
  readonly stderr: Excerpt;
  /** Digest of the decoded evidence (frames in order), null when there was none. */
  readonly evidence_digest: Digest | null;
}

/** One run of a `prepare` or `commands` entry over one tree. */
export interface CommandFacts {
  readonly kind: "prepare" | "command";
  readonly criterion: number;
  readonly purpose: "head" | "base";
  readonly tree: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly exit: ExitFact;
  /** ISO 8601, UTC; absent in facts of versions that did not say. */
  readonly started_at?: string;
  readonly duration_ms: number;
  readonly stdout: Excerpt;
  readonly stderr: Excerpt;
}
