import { compareText } from "../digest.ts";
import type { RecordFacts } from "../facts/index.ts";
import type { CommandRecord } from "../record/index.ts";

/** The records of one acceptance command, and those of them that decide. */
export interface JudgedRecords {
  /** Every record of the command in the session, proofs left out. */
  readonly all: readonly CommandRecord[];
  /** Those of the judged tree and all that are linked to them as retries; with `any`, all. */
  readonly deciding: readonly CommandRecord[];
}

/** A record that counts: a proof run shows that a test can fail, so its failure says nothing. */
export function counts(record: CommandRecord): boolean {
  return record.role !== "proof";
}

/** Picks the records that decide about the criterion `key`, `tests[0]`. */
export function judgedRecords(records: RecordFacts, key: string, policy: "retries" | "any"): JudgedRecords {
  const all = records.log.records.filter((record) => counts(record) && record.matches.includes(key));
  if (policy === "any") return { all, deciding: all };
  const chains = chainOf(records.log.records);
  const ofTree = all.filter((record) => isOfJudgedTree(record, records));
  const linked = new Set(ofTree.map((record) => chains.get(record.command_id)));
  // A record of the judged tree is in its own chain.
  return { all, deciding: all.filter((record) => linked.has(chains.get(record.command_id))) };
}

/** Whether the record ran over the judged tree; a tree that is not known is never it. */
export function isOfJudgedTree(record: CommandRecord, records: RecordFacts): boolean {
  return record.tree_before !== null && record.tree_before === records.judged_tree;
}

/**
 * For each record the oldest one of its chain of retries; a parent that is not there begins a chain. In a loop, which no
 * runner of ours writes, each record has the one that names it as parent: no two of them are one chain.
 */
export function chainOf(records: readonly CommandRecord[]): ReadonlyMap<string, string> {
  const parents = new Map(records.map((record) => [record.command_id, record.parent_command_id]));
  const roots = new Map<string, string>();
  for (const id of parents.keys()) if (!roots.has(id)) setRoots(id, parents, roots);
  return roots;
}

/** Walks up from `id` to a root, a known one or into a loop, and sets the root of every record on the way. */
function setRoots(id: string, parents: ReadonlyMap<string, string | null>, roots: Map<string, string>): void {
  const places = new Map([[id, 0]]);
  const path = [id];
  let last = id;
  let parent = parents.get(last);
  while (parent != null && parents.has(parent) && !roots.has(parent) && !places.has(parent)) {
    places.set(parent, path.length);
    path.push(parent);
    last = parent;
    parent = parents.get(last);
  }
  const root = (parent == null ? undefined : roots.get(parent)) ?? last;
  const loopAt = parent == null ? undefined : places.get(parent);
  path.forEach((one, at) => {
    const before = loopAt !== undefined && at > loopAt ? path[at - 1] : undefined;
    roots.set(one, before ?? root);
  });
}

/** Oldest first, by start and then by id, so that the order on disk says nothing. */
export function byStart(a: CommandRecord, b: CommandRecord): number {
  return compareText(a.started_at, b.started_at) || compareText(a.command_id, b.command_id);
}

/** `exit 1 -> exit 0`, oldest first. */
export function chainText(records: readonly CommandRecord[]): string {
  return records.toSorted(byStart).map(recordExitText).join(" -> ");
}

/** `exit 0`, or why there is none. */
export function recordExitText(record: CommandRecord): string {
  if (record.exit_code !== null && record.error === null) return `exit ${record.exit_code}`;
  return `no exit (${record.error?.kind ?? "unknown"}${record.error?.signal == null ? "" : ` ${record.error.signal}`})`;
}
