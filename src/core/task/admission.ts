import type { Task } from "./task.ts";
import type { TaskAuthority } from "./schema.ts";

/** Whether a task may run, and if not why. `waits`: it is sound but nobody has approved it yet. */
export type Admission =
  | { readonly outcome: "admitted"; readonly authority: "operator" | "auto_safe" }
  | { readonly outcome: "refused"; readonly code: "contract-required" | "waits-for-approval"; readonly reason: string };

/** A task in what admission looks at; a stored task has the same two. */
export type AdmissionSubject = Pick<Task, "contract"> & { readonly authority: TaskAuthority | null };

/**
 * Decides at creation. `auto_safe` runs with no human and needs a contract; `operator` is a person who may omit it;
 * a task that names no authority is only proposed.
 */
export function admitTask(task: AdmissionSubject): Admission {
  switch (task.authority) {
    case "operator":
      return { outcome: "admitted", authority: "operator" };
    case "auto_safe":
      return task.contract === null ? contractRequired : { outcome: "admitted", authority: "auto_safe" };
    case "proposed":
    case null:
      return {
        outcome: "refused",
        code: "waits-for-approval",
        reason: "a proposed task waits until a person approves it",
      };
  }
}

const contractRequired: Admission = {
  outcome: "refused",
  code: "contract-required",
  reason: "auto_safe runs with no human, so it needs an acceptance contract",
};

/** Decides again when a worker takes the task, before anything is allocated: what is stored may have changed since creation. */
export function admitLease(task: AdmissionSubject): Admission {
  return admitTask(task);
}
