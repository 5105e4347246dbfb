import os from "node:os";
import { parseAgentSpec, type AgentSpec } from "../../adapters/agent/shared/parse-agent-spec.ts";
import type { DeliverRequest } from "../../app/deliver/delivery.ts";
import { admitTask, agentPrompt, parseTaskFile, taskKey, type Task } from "../../core/task/index.ts";
import { TrueupError } from "../../errors.ts";
import { readInput } from "./read-input.ts";
import { readRepositoryAddress, repositoryUrl } from "./repository-url.ts";
import type { Terminal } from "./terminal.ts";

export interface DeliverOptions {
  readonly agent?: string;
  readonly repo?: string;
  readonly prefix: string;
  readonly newAttempt?: boolean;
  readonly strict?: boolean;
  readonly report?: readonly string[];
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/** Reads the task file and the flags into one pinned request. */
export async function readDeliverRequest(
  terminal: Terminal,
  file: string,
  options: DeliverOptions,
): Promise<{ deliver: DeliverRequest; agent: AgentSpec }> {
  const kind = file.endsWith(".json") ? "json" : "markdown";
  const parsed = parseTaskFile(await readInput(terminal, file), { kind });
  if (!parsed.ok) throw taskInvalid(file, parsed.issues);
  const task = withFlags(parsed.task, options);
  refuseUnlessAdmitted(task);
  const url = repositoryUrl(terminal, task.repo, task.address);
  return {
    agent: readAgent(task, terminal),
    deliver: {
      task,
      taskKey: taskKey({ ...task, repo: url }),
      contract: task.contract,
      contractDigest: task.contract_digest,
      prompt: agentPrompt(task),
      url,
      branchPrefix: options.prefix,
      operator: operatorName(terminal),
      newAttempt: options.newAttempt === true,
      strict: options.strict === true,
      limits: { agentWallMs: agentMinutes(task) * 60_000, agentIdleMs: 300_000 },
      signal: terminal.signal,
    },
  };
}

/** On the command line a person runs the task: authority is `operator` unless the task says less. */
function withFlags(task: Task, options: DeliverOptions): Task {
  const repo = options.repo ?? task.repo;
  const address = options.repo === undefined ? task.address : readRepositoryAddress(options.repo, "--repo ");
  return { ...task, repo, address, agent: options.agent ?? task.agent, authority: task.authority ?? "operator" };
}

function taskInvalid(file: string, issues: readonly { readonly key: string; readonly reason: string }[]): TrueupError {
  const detail = issues.map((issue) => (issue.key === "" ? issue.reason : `${issue.key}: ${issue.reason}`)).join("; ");
  return new TrueupError("task-invalid", { subject: file, detail });
}

function refuseUnlessAdmitted(task: Task): void {
  const decision = admitTask(task);
  if (decision.outcome === "refused")
    throw new TrueupError("authority-refused", { subject: task.title, detail: decision.reason });
}

function readAgent(task: Task, terminal: Terminal): AgentSpec {
  if (task.agent === null)
    throw new TrueupError("agent-invalid", {
      detail: "the task names none",
      hint: "Set `agent` in the task, or give `--agent`.",
    });
  const spec = parseAgentSpec(task.agent, terminal.cwd);
  if (spec.ok) return spec.spec;
  throw new TrueupError("agent-invalid", { subject: task.agent, detail: spec.reason });
}

/** The smaller budget wins: the task's or the contract's. */
function agentMinutes(task: Task): number {
  return Math.min(task.budget.minutes ?? 30, task.contract?.budget?.minutes ?? Infinity);
}

function operatorName(terminal: Terminal): string {
  return terminal.env["USER"] ?? terminal.env["LOGNAME"] ?? os.userInfo().username;
}
