import { spawnSync } from "node:child_process";
import { closeSync, constants, lstatSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import path from "node:path";
import type { Readable } from "node:stream";

/** One pipe: what we read, and the end that the command gets. */
export interface Pipe {
  readonly reader: Readable;
  /** To be closed here once the command has it. */
  readonly writer: number;
}

/** The pipes of one run. */
export interface PipePair {
  readonly stdout: Pipe;
  readonly stderr: Pipe;
  closeWriters(): void;
  /** For the next run when their end was seen, so that nobody else holds them; else they go. */
  release(wasEnded: boolean): void;
}

const free = /^free-(.+)\.(out|err)$/u;

/**
 * Real pipes for a command. Node itself gives socket pairs, on which `/dev/stdout` cannot be opened and a writer whose
 * reader is gone sees another error than usual. It cannot make a pipe, so named ones are made once by `mkfifo` and used
 * again, each by one run at a time. Null where that is not possible: then Node's own are used.
 */
export function claimPipes(directory: string, name: string): PipePair | null {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const files = { out: path.join(directory, `${name}.out`), err: path.join(directory, `${name}.err`) };
    if (!takeFree(directory, files) && !makeFifos([files.out, files.err])) return null;
    return openPair(directory, files, name);
  } catch {
    return null;
  }
}

interface PipeFiles {
  readonly out: string;
  readonly err: string;
}

/** Takes a pair that nobody uses; of two takers one gets it, the other looks further. */
function takeFree(directory: string, files: PipeFiles): boolean {
  for (const entry of readdirSync(directory)) {
    const [, id, kind] = free.exec(entry) ?? [];
    if (id === undefined || kind !== "out") continue;
    try {
      renameSync(path.join(directory, entry), files.out);
      renameSync(path.join(directory, `free-${id}.err`), files.err);
      return true;
    } catch {
      rmSync(files.out, { force: true });
    }
  }
  return false;
}

function makeFifos(files: readonly string[]): boolean {
  const { status } = spawnSync("mkfifo", ["-m", "600", ...files], { stdio: "ignore" });
  return status === 0;
}

function openPair(directory: string, files: PipeFiles, name: string): PipePair {
  const [stdout, stderr] = [openPipe(files.out), openPipe(files.err)];
  return {
    stdout,
    stderr,
    closeWriters: () => {
      closeSync(stdout.writer);
      closeSync(stderr.writer);
    },
    release: (wasEnded) => {
      try {
        if (!wasEnded) throw new Error("somebody may still hold them");
        renameSync(files.err, path.join(directory, `free-${name}.err`));
        renameSync(files.out, path.join(directory, `free-${name}.out`));
      } catch {
        // The next run makes new ones.
        for (const file of [files.out, files.err]) rmSync(file, { force: true });
      }
    },
  };
}

/** The reader is opened first and without waiting; then the writer finds somebody who reads, and blocks as a pipe does. */
function openPipe(file: string): Pipe {
  if (!lstatSync(file).isFIFO()) throw new TypeError("not a pipe");
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  const writer = openSync(file, constants.O_WRONLY | constants.O_NOFOLLOW);
  return { reader: new Socket({ fd, readable: true, writable: false }), writer };
}
