import { taskPrompt } from "../contract/index.ts";
import { digestOf, type Digest } from "../digest.ts";
import type { Task } from "./task.ts";

/**
 * The identity by which a second run of the same task resumes the first: what is asked, where, against what. A contract that
 * drifted since is then found out, and a typo mended in the text is no other task. Agent, authority, budget and date are not
 * in it: asking another agent for the same change does not make it another change.
 */
export function taskKey(task: Pick<Task, "repo" | "base_ref" | "title">): Digest {
  return digestOf({ version: 1, repo: task.repo, base_ref: task.base_ref, title: task.title });
}

/** What the agent is told: the body with the contract's public projection. */
export function agentPrompt(task: Task): string {
  return taskPrompt(task.body, task.contract);
}
