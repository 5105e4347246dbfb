export { admitLease, admitTask, type Admission, type AdmissionSubject } from "./admission.ts";
export { taskJsonSchema } from "./json-schema.ts";
export { parseTaskFile, type TaskFileOptions, type TaskResult } from "./parse-task.ts";
export { parseRepoAddress, type RepoAddress, type RepoAddressResult } from "./repo-address.ts";
export type { TaskAuthority, TaskBudget } from "./schema.ts";
export { agentPrompt, taskKey } from "./task-key.ts";
export type { Task } from "./task.ts";
