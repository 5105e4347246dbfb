import { setTimeout as delay } from "node:timers/promises";
import { findTree, signalProcess, trySignal, type ProcessRow, type RunTree } from "./process-table.ts";
import { milliseconds } from "./milliseconds.ts";

/** How long each step waits for the tree to die, in milliseconds. */
export interface Patience {
  /** After SIGTERM. */
  readonly term: number;
  /** After SIGKILL; who lives then is a survivor. */
  readonly kill: number;
}

export const usualPatience: Patience = { term: 2000, kill: 5000 };

/** Ends every process of a run: SIGTERM, then SIGKILL until none is left. Returns the pids that would not die. */
export async function endTree(tree: RunTree, patience: Patience): Promise<readonly number[]> {
  if (findTree(tree).length === 0) return [];
  if (patience.term > 0 && (await signalUntilDead(tree, "SIGTERM", { repeat: false, ms: patience.term }))) return [];
  await signalUntilDead(tree, "SIGKILL", { repeat: true, ms: patience.kill });
  return findTree(tree).map((row) => row.pid);
}

/** Waits until `done` holds; false when it did not within `ms`. Looks often at first, later every 50 ms. */
export async function waitFor(done: () => boolean, ms: number): Promise<boolean> {
  const until = milliseconds() + ms;
  for (let pause = 1; ; pause = Math.min(pause * 2, 50)) {
    if (done()) return true;
    if (milliseconds() >= until) return false;
    await delay(pause);
  }
}

/** A tree that forks while it dies is signalled again each time it is looked at. */
async function signalUntilDead(
  tree: RunTree,
  signal: NodeJS.Signals,
  options: { readonly repeat: boolean; readonly ms: number },
): Promise<boolean> {
  const send = (rows: readonly ProcessRow[]): void => {
    const inGroup = (row: ProcessRow): boolean => tree.leader > 0 && row.group === tree.leader;
    if (rows.some(inGroup)) trySignal(-tree.leader, signal);
    for (const row of rows) if (!inGroup(row)) signalProcess(row, signal);
  };
  send(findTree(tree));
  return waitFor(() => {
    const rows = findTree(tree);
    if (options.repeat) send(rows);
    return rows.length === 0;
  }, options.ms);
}
