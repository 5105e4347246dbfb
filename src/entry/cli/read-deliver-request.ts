import { existsSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseAgentSpec, type AgentSpec } from "../../adapters/agent/shared/parse-agent-spec.ts";
import type { DeliverRequest } from "../../app/deliver/delivery.ts";
import { admitTask, parseTaskFile, taskKey, type Task } from "../../core/task/index.ts";
import { TrueupError } from "../../errors.ts";
import { readInput } from "./commands/contract.ts";
import type { Terminal } from "./terminal.ts";

export interface DeliverOptions {
  readonly agent?: string;
  readonly repo?: string;
  readonly prefix: string;
  readonly newAttempt?: boolean;
  readonly strict?: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/** Reads the task file and the flags into one pinned request. */
export async function readDeliverRequest(terminal: Terminal, file: string, options: DeliverOptions): Promise<{ deliver: DeliverRequest; agent: AgentSpec }> {
  const parsed = parseTaskFile(await readInput(terminal, file), { kind: file.endsWith(".json") ? "json" : "markdown" });
  if (!parsed.ok) throw taskInvalid(file, parsed.issues);
  const task = withFlags(parsed.task, options);
  refuseUnlessAdmitted(task);
  const agent = readAgent(task, terminal);
  const url = repositoryAddress(task, terminal);
  return {
    agent,
    deliver: {
      task,
      taskKey: taskKey({ ...task, repo: url }),
      contract: task.contract ?? null,
      contractDigest: task.contract_digest ?? null,
      prompt: task.prompt,
      url,
      branchPrefix: options.prefix,
      operator: operatorName(terminal),
      newAttempt: options.newAttempt === true,
      strict: options.strict === true,
      limits: { agentWallMs: (task.budget?.minutes ?? 30) * 60_000, agentIdleMs: 300_000 },
      signal: terminal.signal,
    },
  };
}

function withFlags(task: Task, options: DeliverOptions): Task {
  return {
    ...task,
    ...(options.agent === undefined ? {} : { agent: options.agent }),
    ...(options.repo === undefined ? {} : { repo: options.repo }),
  };
}

function taskInvalid(file: string, issues: readonly { readonly key: string; readonly reason: string }[]): TrueupError {
  const detail = issues.map((issue) => (issue.key === "" ? issue.reason : `${issue.key}: ${issue.reason}`)).join("; ");
  const inContract = issues.some((issue) => issue.key.startsWith("contract"));
  return new TrueupError(inContract ? "contract-invalid" : "task-invalid", { subject: file, detail });
}

function refuseUnlessAdmitted(task: Task): void {
  const decision = admitTask(task);
  if (!decision.admitted) throw new TrueupError("authority-refused", { subject: task.title, detail: decision.reason });
}

function readAgent(task: Task, terminal: Terminal): AgentSpec {
  if (task.agent === undefined) throw new TrueupError("agent-invalid", { detail: "the task names none", hint: "Set `agent` in the task, or give `--agent`." });
  const spec = parseAgentSpec(task.agent, terminal.cwd);
  if (spec.ok) return spec.spec;
  throw new TrueupError("agent-invalid", { subject: task.agent, detail: spec.reason });
}

/** A path stays a path, made absolute; `owner/name` is the public forge's. */
function repositoryAddress(task: Task, terminal: Terminal): string {
  const { repo } = task;
  if (/^(?:https|ssh|file):\/\//u.test(repo) || /^[\w.-]+@[\w.-]+:/u.test(repo)) return repo;
  const local = path.resolve(terminal.cwd, repo);
  if (existsSync(local)) return local;
  if (/^[\w.-]+\/[\w.-]+$/u.test(repo) && !repo.startsWith(".")) return `https://github.com/${repo}.git`;
  throw new TrueupError("repository-unreachable", { subject: repo, detail: "there is no such path" });
}

function operatorName(terminal: Terminal): string {
  return terminal.env["USER"] ?? terminal.env["LOGNAME"] ?? os.userInfo().username;
}
