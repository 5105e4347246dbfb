import {
  accessSync,
  constants,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { TrueupError } from "../../../errors.ts";
import type { RecordDraft } from "../../../core/record/index.ts";
import type { StartedRuns } from "../../../ports/index.ts";
import { guarded, listNames, makePrivateDirectory } from "./state-files.ts";

/** Room for the longest record: two excerpts of 32 KiB, at most six bytes for a character, and the words. */
const roomBytes = 512 * 1024;
/** A runner ends its tree within seconds; longer than this it is stuck, in milliseconds. */
const stopMs = 20_000;
const namePattern = /^([0-9a-f-]{36})\.(\d+)-(\d+)\.json$/u;

interface Entry {
  readonly file: string;
  readonly commandId: string;
  readonly pid: number;
  readonly start: string;
}

/** Started runs as files `<command>.<pid>-<start>.json`: the name says which process answers for it. */
export function createStartedRuns(sessionDirectory: string): StartedRuns {
  const directory = path.join(sessionDirectory, "started");
  const own = { pid: process.pid, start: startOf(process.pid) ?? "0" };
  const fileOf = (id: string): string => path.join(directory, `${id}.${own.pid}-${own.start}.json`);
  return {
    async reserve(draft) {
      makePrivateDirectory(directory);
      expectWritable(sessionDirectory);
      const file = fileOf(draft.command_id);
      const text = JSON.stringify(draft);
      const padded = text.padEnd(Math.max(roomBytes, Buffer.byteLength(text)), " ");
      // Whole or not at all: what stands under its own name was written before its command started.
      const part = path.join(directory, `${draft.command_id}.part`);
      guarded(file, () => {
        try {
          writeFileSync(part, padded, { mode: 0o600 });
          renameSync(part, file);
        } catch (error) {
          rmSync(part, { force: true });
          throw error;
        }
      });
    },
    async shrink(commandId) {
      const file = fileOf(commandId);
      guarded(file, () => truncateSync(file, Buffer.byteLength(readFileSync(file, "utf8").trimEnd())));
    },
    async settle(commandId) {
      for (const entry of listEntries(directory))
        if (entry.commandId === commandId) guarded(entry.file, () => rmSync(entry.file, { force: true }));
    },
    async takeOrphans() {
      const dead = listEntries(directory).filter((entry) => startOf(entry.pid) !== entry.start);
      return dead.flatMap((entry) => takeOver(entry, fileOf(entry.commandId)));
    },
    async stop(commandId) {
      const alive = (): readonly Entry[] => listEntries(directory).filter((entry) => isOf(entry, commandId));
      const entries = alive();
      if (entries.length === 0) return "not-running";
      for (const entry of entries) askToEnd(entry.pid);
      for (const until = performance.now() + stopMs; performance.now() < until; await delay(20))
        if (alive().length === 0) return "stopped";
      return "still-running";
    },
    async running() {
      const alive = listEntries(directory).filter((entry) => startOf(entry.pid) === entry.start);
      return alive.flatMap((entry) => readDraft(entry.file).map((draft) => ({ draft, runner: entry.pid })));
    },
  };
}

/** The directory, the log and its anchor must be ours to write, where they are there already. */
function expectWritable(sessionDirectory: string): void {
  for (const name of ["", "records.jsonl", "anchor"]) {
    const file = path.join(sessionDirectory, name);
    if (existsSync(file)) guarded(file, () => accessSync(file, constants.W_OK));
  }
}

function isOf(entry: Entry, commandId: string): boolean {
  return entry.commandId === commandId && startOf(entry.pid) === entry.start;
}

function askToEnd(pid: number): void {
  try {
    process.kill(pid, "SIGTERM");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Of several processes that find the same orphan the one whose rename comes first answers for it from now on. */
function takeOver(entry: Entry, file: string): readonly RecordDraft[] {
  try {
    renameSync(entry.file, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    return guarded(entry.file, () => {
      throw error;
    });
  }
  return readDraft(file);
}

/** The draft of a file; none when it was settled meanwhile. */
function readDraft(file: string): readonly RecordDraft[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw new TrueupError("state-unwritable", { subject: file, cause: error });
  }
  try {
    return [JSON.parse(text) as RecordDraft];
  } catch (cause) {
    throw new TrueupError("session-damaged", { subject: file, detail: "a started command cannot be read", cause });
  }
}

function listEntries(directory: string): readonly Entry[] {
  return listNames(directory).flatMap((name) => {
    const [, commandId, pid, start] = namePattern.exec(name) ?? [];
    if (commandId === undefined || pid === undefined || start === undefined) return [];
    return [{ file: path.join(directory, name), commandId, pid: Number(pid), start }];
  });
}

/** When a process started, in ticks after boot, so that a reused pid is another process; null when it is gone. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? null : (fields[19] ?? null);
  } catch {
    return process.platform === "linux" || !answersSignal(pid) ? null : "0";
  }
}

function answersSignal(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
