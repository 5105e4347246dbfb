import { personErrorRows } from "./error-table-person.ts";
import { repositoryErrorRows } from "./error-table-repository.ts";
import type { ErrorCategory } from "./errors.ts";

/** One row of the table. */
export interface ErrorRow {
  readonly category: ErrorCategory;
  /** What happened, without a full stop. */
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
  readonly retryable?: boolean;
}

/** The one table that gives each error code its message and hint. */
export const errorTable = {
  usage: { category: "usage", message: "The command line is not understood", hint: "See `trueup --help`." },
  "internal-error": {
    category: "integrity",
    message: "Trueup met an error that it does not expect: this is a bug in trueup",
    hint: "Nothing was judged. Please report it, with the command and the lines below.",
  },
  "access-denied": {
    category: "environment",
    message: "The system does not let trueup do this",
    hint: "Give yourself the permission, or point TRUEUP_STATE and TRUEUP_CACHE at directories you own; then run the same command again.",
  },
  "system-failed": {
    category: "environment",
    message: "The system refused an operation",
    hint: "Read the detail, mend what it names, and run the same command again: it resumes.",
    retryable: true,
  },
  "output-failed": {
    category: "environment",
    message: "The result could not be printed",
    hint: "Give standard output a place that takes it and run the same command again; the artifacts are kept.",
    retryable: true,
  },
  "file-not-found": {
    category: "usage",
    message: "The file does not exist",
    hint: "Check the path; it is taken from the directory you are in.",
  },
  "file-unreadable": {
    category: "usage",
    message: "The file cannot be read",
    hint: "Check its permissions, and that it is a regular file.",
  },
  "contract-invalid": {
    category: "configuration",
    message: "The acceptance contract is not valid",
    hint: "Run `trueup contract check FILE`; `trueup contract schema` prints every key.",
  },
  "contract-changed": {
    category: "integrity",
    message: "The acceptance contract is not the one that was pinned",
    hint: "Start a new attempt with `--new-attempt`, or restore the contract.",
  },
  "held-out-damaged": {
    category: "integrity",
    message: "A stored held-out test is not the one that was stored",
    hint: "Add the file again with `trueup contract add-held-out FILE`.",
  },
  "consent-missing": {
    category: "usage",
    message: "Nothing was written, since there is nobody to ask",
    hint: "Read the proposal above, then run the same command with `--yes`; `--dry-run` only shows it.",
  },
  "init-record-damaged": {
    category: "integrity",
    message: "The record of what init wrote cannot be read",
    hint: "Nothing was removed. Take the files out by hand, then delete this record.",
  },
  "contract-missing": {
    category: "configuration",
    message: "There is no acceptance contract",
    hint: "Add one `acceptance` block to the task, or give `--contract FILE`.",
  },
  "task-invalid": {
    category: "configuration",
    message: "The task is not valid",
    hint: "See `trueup deliver --help` for the task format.",
  },
  "not-a-repository": {
    category: "usage",
    message: "There is no git work tree here",
    hint: "Run inside the work tree of a git repository; a bare repository and a `.git` directory have none.",
  },
  "repository-unreachable": {
    category: "environment",
    message: "The repository cannot be read",
    hint: "Check the address, and that you can reach it: `git ls-remote ADDRESS`.",
    retryable: true,
  },
  "repository-empty": {
    category: "configuration",
    message: "The repository has no commit",
    hint: "Make a first commit; the base must exist before a change can be judged.",
  },
  "repository-shallow": {
    category: "configuration",
    message: "The repository is a shallow clone",
    hint: "Run `git fetch --unshallow` in it; a hosted CI job needs a full checkout (`fetch-depth: 0`).",
  },
  "repository-invalid": {
    category: "integrity",
    message: "The repository holds damaged or forbidden objects",
    hint: "Run `git fsck` in it, or clone it anew; nothing of it was used.",
  },
  "repository-unsupported": {
    category: "configuration",
    message: "The repository is stored in a form that cannot be read yet",
    hint: "Use a clone made with `git clone --ref-format=files`, or give the address of its remote (https or ssh).",
  },
  "index-unmerged": {
    category: "usage",
    message: "The index is not ready to be judged",
    hint: "Resolve conflicts and `git add` the files, then run again.",
  },
  "base-not-found": {
    category: "usage",
    message: "The revision does not exist",
    hint: "Name a branch, tag or commit that exists in the repository, as `git log REV` takes it; `HEAD~1` and short ids are understood.",
  },
  "base-not-green": {
    category: "configuration",
    message: "The tests are not green on the untouched base",
    hint: "Mend the base first, or set `baseline` to `no-worse`.",
  },
  "head-moved": {
    category: "integrity",
    message: "What is checked out is not what was asked about",
    hint: "Check out exactly the head of the event (see docs/ci.md), and run the job for the newest event.",
  },
  "ci-event-invalid": {
    category: "configuration",
    message: "The event of this job is not one under which a change can be judged",
    hint: "Run on `pull_request` and `merge_group`, or name the base with `--base REV`; see docs/ci.md.",
  },
  "mirror-broken": {
    category: "integrity",
    message: "The executor's copy of the repository is damaged",
    hint: "Remove it (it lies in `mirrors` in the cache) and run the command again: it is made anew.",
  },
  "git-missing": {
    category: "environment",
    message: "git was not found",
    hint: "Install git 2.34 or newer, and put it on the PATH.",
  },
  "git-too-old": { category: "environment", message: "git is too old", hint: "Install git 2.34 or newer." },
  "git-failed": {
    category: "environment",
    message: "A git command failed",
    hint: "Read the detail; the command can be run again.",
    retryable: true,
  },
  "git-facts-undecodable": {
    category: "integrity",
    message: "What git reported cannot be decoded",
    hint: "Nothing was judged. Run again; if it stays, the transport or git is damaged.",
  },
  "tree-unreadable": {
    category: "environment",
    message: "The work tree cannot be read",
    hint: "Make the path named here readable for yourself, and run again.",
  },
  "tree-changed-while-read": {
    category: "integrity",
    message: "The work tree changed while it was being read",
    hint: "Stop whatever writes to it and run again.",
    retryable: true,
  },
  "transport-broken": {
    category: "integrity",
    message: "Bytes were lost or altered on the way",
    hint: "Nothing was judged. Run again; if it stays, the transport is damaged.",
  },
  "sandbox-missing": {
    category: "environment",
    message: "bubblewrap was not found",
    hint: "Install it: `apt-get install bubblewrap` (or your system's package).",
  },
  "sandbox-forbidden": {
    category: "environment",
    message: "This machine does not let a process make user namespaces",
    hint: "Run `trueup doctor` for the line that mends it.",
  },
  "sandbox-failed": {
    category: "environment",
    message: "The sandbox did not start",
    hint: "Run `trueup doctor`: it says what is missing here.",
  },
  "sandbox-survivor": {
    category: "integrity",
    message: "A process was still alive after its sandbox ended",
    hint: "Nothing from this run is believed. Run again.",
  },
  "processor-unknown": {
    category: "environment",
    message: "There is no system call table for this processor",
    hint: "Run on x86_64 or arm64.",
  },
  "mount-point-taken": {
    category: "configuration",
    message: "A directory that the sandbox mounts on is something else in this tree",
    hint: "Remove the file or link at that path from the repository; dependencies are mounted there.",
  },
  "disk-full": {
    category: "environment",
    message: "The disk is full",
    hint: "Free some space, then run the same command again: nothing is lost.",
    retryable: true,
  },
  ...personErrorRows,
  ...repositoryErrorRows,
  "agent-invalid": {
    category: "configuration",
    message: "The agent is not valid",
    hint: "Give `scripted:FILE` or `command:PROGRAM ARG...`.",
  },
  "attempt-locked": {
    category: "environment",
    message: "Another process is delivering this task",
    hint: "Wait for it to end, or stop it.",
    retryable: true,
  },
  "attempt-damaged": {
    category: "integrity",
    message: "The stored attempt is damaged, or was written by another version",
    hint: "Start over with `--new-attempt`; the old attempt is kept where it is.",
  },
  "artifacts-invalid": {
    category: "usage",
    message: "This is not a directory of artifacts",
    hint: "Name the `out` directory that `deliver` or `check` printed as Artifacts.",
  },
  "artifacts-damaged": {
    category: "integrity",
    message: "The artifacts are incomplete, damaged or of another version",
    hint: "Nothing was judged. Gather them again with `trueup check` or `trueup deliver`, or use the version that wrote them.",
  },
  "authority-refused": {
    category: "configuration",
    message: "The task may not run under this authority",
    hint: "`auto_safe` needs a contract; approve the task as operator, or add one.",
  },
  "push-failed": {
    category: "environment",
    message: "The branch could not be pushed",
    hint: "Check the remote; running the same command again resumes.",
    retryable: true,
  },
  "push-rejected": {
    category: "environment",
    message: "The remote refused the branch",
    hint: "Read the remote's reason and mend it; running the same command again resumes.",
  },
  "forge-failed": {
    category: "environment",
    message: "The forge did not answer",
    hint: "Running the same command again resumes.",
    retryable: true,
  },
  "state-unwritable": {
    category: "environment",
    message: "The state directory cannot be written",
    hint: "Set TRUEUP_STATE to the absolute path of a directory you own.",
  },
  "state-insecure": {
    category: "environment",
    message: "The state directory is open to others",
    hint: "Run `chmod 700` on it if it is yours, or set TRUEUP_STATE to another directory.",
  },
  "cache-unwritable": {
    category: "environment",
    message: "The cache directory cannot be written",
    hint: "Set TRUEUP_CACHE to the absolute path of a directory you own.",
  },
  "cache-insecure": {
    category: "environment",
    message: "Others can write into the cache directory, and so decide what is tested",
    hint: "Run `chmod 700` on it if it is yours, or set TRUEUP_CACHE to another directory.",
  },
  "place-in-work-tree": {
    category: "configuration",
    message: "The state or cache directory lies in the work tree that is judged",
    hint: "Set TRUEUP_STATE and TRUEUP_CACHE to directories outside it.",
  },
  "out-unwritable": {
    category: "environment",
    message: "The artifacts cannot be written there",
    hint: "Give `--out` a directory that you can write, or leave it out: the state directory is used.",
  },
  "report-unwritable": {
    category: "environment",
    message: "The report cannot be written there",
    hint: "Give `--report FORMAT=FILE` a file in a directory that exists and that you can write; `-` is standard output.",
  },
  "session-missing": {
    category: "usage",
    message: "No session is open for this work tree",
    hint: "Run `trueup start` in it first; it pins base and contract outside the tree.",
  },
  "session-damaged": {
    category: "integrity",
    message: "The stored session cannot be read",
    hint: "Run `trueup start` again: it opens a new one. What the old one recorded stays where it is.",
  },
  "record-missing": {
    category: "usage",
    message: "There is no such command record in this session",
    hint: "`trueup log` lists them.",
  },
  "service-stuck": {
    category: "environment",
    message: "A background command does not end",
    hint: "Its runner was asked to end it and did not; end the process yourself, then run the same command again.",
    retryable: true,
  },
  "service-lost": {
    category: "environment",
    message: "The background command's runner ended before it could say that the command runs",
    hint: "Run it without `--background` to see why.",
  },
  "config-invalid": {
    category: "configuration",
    message: "The repository's configuration is not valid",
    hint: "Correct `.trueup/config.json` in the base revision.",
  },
  "not-built": {
    category: "configuration",
    message: "This is not built yet",
    hint: "CHANGELOG.md and README.md say what this version can do.",
  },
  interrupted: { category: "interrupted", message: "Interrupted", hint: "Run the same command again: it resumes." },
} as const satisfies Record<string, ErrorRow>;

/** Every code a `TrueupError` can carry. */
export type ErrorCode = keyof typeof errorTable;
