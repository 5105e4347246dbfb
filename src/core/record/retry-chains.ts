import { compareText } from "../digest.ts";
import type { CommandRecord } from "./record.ts";

/** A command and all that retried it, oldest first. A command never retried is a chain of one. */
export type RetryChain = readonly CommandRecord[];

interface Place {
  readonly root: string;
  readonly depth: number;
}

/** Walks up to the first attempt. Links that lead in a circle end at the smallest id, so that no record gets lost. */
function placeOf(record: CommandRecord, byId: ReadonlyMap<string, CommandRecord>): Place {
  const walked = [record.command_id];
  for (let at = record; ;) {
    const parent = at.parent_command_id === null ? undefined : byId.get(at.parent_command_id);
    if (parent === undefined) return { root: at.command_id, depth: walked.length - 1 };
    const circle = walked.indexOf(parent.command_id);
    if (circle >= 0) return { root: walked.slice(circle).toSorted(compareText)[0] ?? at.command_id, depth: circle };
    walked.push(parent.command_id);
    at = parent;
  }
}

/**
 * The chains of retries, in the order of their first records. Each record is in exactly one. Only the links count, so the
 * chains come out the same whatever the order of the records, the clock, or the file each was rotated into.
 */
export function retryChains(records: readonly CommandRecord[]): readonly RetryChain[] {
  const byId = new Map(records.map((record) => [record.command_id, record]));
  const chains = new Map<string, { record: CommandRecord; depth: number }[]>();
  for (const record of records) {
    const { root, depth } = placeOf(record, byId);
    const chain = chains.get(root) ?? [];
    chain.push({ record, depth });
    chains.set(root, chain);
  }
  return [...chains.values()].map((chain) =>
    chain
      .toSorted((a, b) => a.depth - b.depth || compareText(a.record.command_id, b.record.command_id))
      .map(({ record }) => record),
  );
}

/** What a new command is compared by. `argv` and `cwd` redacted, as records hold them. */
export interface RetryQuestion {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Fingerprint of the tree the new command will see; null is equal to none. */
  readonly tree: string | null;
}

function sameWords(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, index) => word === b[index]);
}

/**
 * The newest record that the new command runs again: same argv, cwd and tree. The tree is the same when it is what that
 * command saw, or what it left behind. `records` oldest first; null when there is none.
 */
export function findRetryParent(
  records: readonly CommandRecord[],
  { argv, cwd, tree }: RetryQuestion,
): CommandRecord | null {
  if (tree === null) return null;
  const repeats = (record: CommandRecord): boolean =>
    record.cwd === cwd && (record.tree_before === tree || record.tree_after === tree) && sameWords(record.argv, argv);
  return records.findLast(repeats) ?? null;
}
