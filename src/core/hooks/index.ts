export { parseAgentEvent, type AgentEvent } from "./agent-event.ts";
export {
  addAgentHooks,
  agentClients,
  agentHooks,
  agentSettingsFile,
  findAgentCommands,
  removeAgentHooks,
  type AgentClient,
} from "./agent-settings.ts";
export { decideStop, mayGoOn, turnKey } from "./decide-stop.ts";
export { decideTool, writtenBy, type WrittenPath } from "./decide-tool.ts";
export {
  gitHookNames,
  hookOwner,
  keptHookName,
  renderGitHook,
  type GitHookName,
  type HookProgram,
} from "./git-hook.ts";
export { parsePushedTips, type PushedTip } from "./pushed-tips.ts";
