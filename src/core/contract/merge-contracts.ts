import { canonicalJson } from "../digest.ts";
import type { AcceptanceContract, TestsEntry } from "./schema.ts";

type ListKey = {
  [Key in keyof AcceptanceContract]-?: NonNullable<AcceptanceContract[Key]> extends readonly unknown[] ? Key : never;
}[keyof AcceptanceContract];

/** What both ask for is asked once. */
const united = [
  "changed_files_required",
  "changed_files_forbidden",
  "allow_protected",
  "generated",
  "file_contains",
  "file_excludes",
  "prepare",
  "commands",
  "held_out_tests",
  "needs",
  "services",
  "projects",
  "approvals",
] as const satisfies readonly ListKey[];

/** Of two limits the smaller holds. */
const limits = ["max_added_lines", "max_deleted_lines", "max_changed_files", "max_changed_bytes"] as const;

/**
 * One contract that holds where both do: a task's, and the standing one of the base revision. Nothing that one of them alone
 * forbids is allowed, but for what a task names itself: protected paths, and tests that it retires or lets change.
 */
export function mergeContracts(task: AcceptanceContract, standing: AcceptanceContract): AcceptanceContract {
  const lists = united.map((key) => [key, distinct(standing[key] ?? [], task[key] ?? [])] as const);
  const smallest = limits.map((key) => [key, least(task[key], standing[key])] as const);
  const merged: Readonly<Record<string, unknown>> = {
    version: 1,
    ...(task.intent === undefined ? {} : { intent: task.intent }),
    ...Object.fromEntries(lists.filter(([, list]) => list.length > 0)),
    ...Object.fromEntries(smallest.filter(([, limit]) => limit !== undefined)),
    ...mergeScope(task, standing),
    ...mergeExemptions(task, standing),
    ...mergeTests(task, standing),
    ...mergeRest(task, standing),
  };
  // Each key is that of one of the two, or a list of what they hold.
  return merged as AcceptanceContract;
}

function distinct(...lists: readonly (readonly unknown[])[]): readonly unknown[] {
  return [...new Map(lists.flat().map((item) => [canonicalJson(item), item])).values()];
}

function least(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

/** No language of globs can intersect two lists: a path has to match each of them. */
function mergeScope(task: AcceptanceContract, standing: AcceptanceContract): Partial<AcceptanceContract> {
  const only = task.changed_files_only ?? standing.changed_files_only;
  const second = task.changed_files_only === undefined ? undefined : standing.changed_files_only;
  const within = [
    ...(standing.changed_files_within ?? []),
    ...(second === undefined ? [] : [second]),
    ...(task.changed_files_within ?? []),
  ];
  return {
    ...(only === undefined ? {} : { changed_files_only: only }),
    ...(within.length === 0 ? {} : { changed_files_within: within }),
  };
}

/** What one of them leaves uncounted or soft may not loosen what the other counts: then only what both name stays. */
function mergeExemptions(task: AcceptanceContract, standing: AcceptanceContract): Partial<AcceptanceContract> {
  const scoped = ({ changed_files_only: only, changed_files_within: within }: AcceptanceContract): boolean =>
    only !== undefined || within !== undefined;
  const capped = ({ max_added_lines: added, max_deleted_lines: deleted }: AcceptanceContract): boolean =>
    added !== undefined || deleted !== undefined;
  const soft = exempted("soft_paths", scoped, { task, standing });
  const uncounted = exempted("uncounted", capped, { task, standing });
  return {
    ...(soft.length === 0 ? {} : { soft_paths: [...soft] }),
    ...(uncounted.length === 0 ? {} : { uncounted: [...uncounted] }),
  };
}

function exempted(
  key: "soft_paths" | "uncounted",
  binds: (contract: AcceptanceContract) => boolean,
  { task, standing }: { readonly task: AcceptanceContract; readonly standing: AcceptanceContract },
): readonly string[] {
  const [own, other] = [task[key] ?? [], standing[key] ?? []];
  if (!binds(standing)) return own;
  if (!binds(task)) return other;
  return own.filter((item) => other.includes(item));
}

/** The task's entries first; a standing one that asks for nothing more than an entry of the task is asked by that. */
function mergeTests(task: AcceptanceContract, standing: AcceptanceContract): Partial<AcceptanceContract> {
  const own = task.tests ?? [];
  const retired = own.flatMap((entry) => entry.retired ?? []);
  const mayUpdate = own.flatMap((entry) => entry.may_update ?? []);
  const added = (standing.tests ?? [])
    .filter((entry) => !own.some((one) => covers(one, entry)))
    .map((entry) => ({
      ...entry,
      ...named("retired", entry.retired, retired),
      ...named("may_update", entry.may_update, mayUpdate),
    }));
  const tests = [...own, ...added];
  return tests.length === 0 ? {} : { tests };
}

/** Whoever wrote the task said which expectations may change; that holds for the standing entries too. */
function named(
  key: "retired" | "may_update",
  own: readonly string[] | undefined,
  more: readonly string[],
): Partial<TestsEntry> {
  const all = [...new Set([...(own ?? []), ...more])];
  return all.length === 0 ? {} : { [key]: all };
}

function covers(own: TestsEntry, standing: TestsEntry): boolean {
  const { command, cwd, keep_base: keep, ...more } = standing;
  const same = own.command === command && (own.cwd ?? "") === (cwd ?? "");
  return same && Object.keys(more).length === 0 && keep !== false && own.keep_base !== false;
}

function mergeRest(task: AcceptanceContract, standing: AcceptanceContract): Partial<AcceptanceContract> {
  const green = task.baseline === "green" || standing.baseline === "green";
  const baseline = green ? "green" : (task.baseline ?? standing.baseline);
  const plan = task.rollback_plan ?? standing.rollback_plan;
  return {
    ...(baseline === undefined ? {} : { baseline }),
    ...(plan === undefined ? {} : { rollback_plan: plan }),
    ...mergeNetwork(task, standing),
    ...mergeBudget(task, standing),
    ...mergeCoverage(task, standing),
  };
}

function mergeNetwork(task: AcceptanceContract, standing: AcceptanceContract): Partial<AcceptanceContract> {
  const asked = [task.network, standing.network].filter((one) => one !== undefined);
  if (asked.length === 0) return {};
  const [first = "none", second = first] = asked;
  if (first === "none" || second === "none") return { network: "none" };
  const both = first.filter((host) => second.includes(host));
  return { network: both.length === 0 ? "none" : both };
}

function mergeBudget(
  { budget: own }: AcceptanceContract,
  { budget: other }: AcceptanceContract,
): Partial<AcceptanceContract> {
  if (own === undefined && other === undefined) return {};
  const minutes = least(own?.minutes, other?.minutes);
  const violations = least(own?.violations, other?.violations);
  return {
    budget: {
      ...(minutes === undefined ? {} : { minutes }),
      ...(violations === undefined ? {} : { violations }),
    },
  };
}

function mergeCoverage(
  { coverage: own }: AcceptanceContract,
  { coverage: other }: AcceptanceContract,
): Partial<AcceptanceContract> {
  if (own === undefined || other === undefined) {
    const coverage = own ?? other;
    return coverage === undefined ? {} : { coverage };
  }
  const floors = [own.floor, other.floor].filter((one) => one !== undefined);
  const drop = least(own.max_drop, other.max_drop);
  return {
    coverage: {
      ...(floors.length === 0 ? {} : { floor: Math.max(...floors) }),
      ...(drop === undefined ? {} : { max_drop: drop }),
    },
  };
}
