import { readdirSync, readFileSync } from "node:fs";

/** One process as `/proc/<pid>/stat` shows it; a pid and its start together name a process for good. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Clock ticks after boot. */
  readonly start: number;
  /** Dead already, and only waiting to be reaped. */
  readonly dead: boolean;
}

/** What is known of a run's processes: its leader, the mark in their environment, and those seen before. */
export interface RunTree {
  /** Pid of the command itself, which leads its session and group; 0 when only the mark is known. */
  readonly leader: number;
  /** When the leader started; processes from before are not of this run. */
  readonly since: number;
  readonly mark: string;
  /** `pid:start` of every process that was once seen in the tree: it stays of it when its parent dies. */
  readonly seen: Set<string>;
}

/** The row of one process; null when it is gone. */
export function readProcess(pid: number): ProcessRow | null {
  const text = readText(`/proc/${pid}/stat`);
  return text === null ? null : parseStat(pid, text);
}

/** Parses `/proc/<pid>/stat`. The name in parentheses may hold anything: fields count from the last one. */
export function parseStat(pid: number, text: string): ProcessRow | null {
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const number = (index: number): number => Number(fields[index] ?? Number.NaN);
  const row = { pid, parent: number(1), group: number(2), session: number(3), start: number(19) };
  const dead = fields[0] === "Z" || fields[0] === "X";
  return Object.values(row).some(Number.isNaN) ? null : { ...row, dead };
}

/** False when the system has made no process since `pid`: then it has no child, and nothing needs to be looked at. */
export function hasAnyStartedSince(pid: number): boolean {
  const last = readText("/proc/loadavg")?.trim().split(" ").at(-1);
  return last === undefined || Number(last) !== pid;
}

/** The live processes of a run: its session and group, all that carry its mark, all once seen, and their children. */
export function findTree(tree: RunTree): readonly ProcessRow[] {
  const rows = listProcesses(tree.since);
  const members = new Map<number, ProcessRow>();
  for (const row of rows) if (belongs(row, tree)) members.set(row.pid, row);
  for (let grown = true; grown;) {
    grown = false;
    for (const row of rows)
      if (!members.has(row.pid) && members.has(row.parent)) {
        members.set(row.pid, row);
        grown = true;
      }
  }
  for (const row of members.values()) tree.seen.add(keyOf(row));
  return [...members.values()];
}

/** Sends a signal to a process if it is still the same one. */
export function signalProcess(row: ProcessRow, signal: NodeJS.Signals): void {
  if (readProcess(row.pid)?.start === row.start) trySignal(row.pid, signal);
}

/** Sends a signal; who is gone, or belongs to another user, gets none. The caller looks again who is alive. */
export function trySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}

function belongs(row: ProcessRow, tree: RunTree): boolean {
  if (tree.leader !== 0 && (row.session === tree.leader || row.group === tree.leader)) return true;
  return tree.seen.has(keyOf(row)) || carriesMark(row.pid, tree.mark);
}

function keyOf(row: ProcessRow): string {
  return `${row.pid}:${row.start}`;
}

/** Another user's environment cannot be read; such a process is found by its parent, group or session. */
function carriesMark(pid: number, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`).includes(mark);
  } catch {
    return false;
  }
}

function listProcesses(since: number): readonly ProcessRow[] {
  let names: string[];
  try {
    names = readdirSync("/proc");
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    const row = /^[1-9]\d*$/u.test(name) ? readProcess(Number(name)) : null;
    return row === null || row.dead || row.start < since || row.pid === process.pid ? [] : [row];
  });
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
