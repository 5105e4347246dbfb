/** What a hook of an agent is told, as far as we need it. Everything in it is the agent's own word. */
export interface AgentEvent {
  readonly event: string;
  /** The agent's session and turn; empty where the client does not say. */
  readonly session: string;
  readonly turn: string;
  readonly cwd: string | null;
  /** True when this stop follows one that a hook has refused. */
  readonly stopActive: boolean;
  readonly tool: string;
  readonly input: { readonly [key: string]: unknown };
  /** Set by `trueup doctor` only: it wants to know whether anybody answers. */
  readonly probe: string | null;
}

/** Reads the JSON that Claude Code and Codex give their hooks; null when it is none. */
export function parseAgentEvent(text: string): AgentEvent | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(value)) return null;
  const word = (key: string): string => (typeof value[key] === "string" ? value[key] : "");
  const input = value["tool_input"];
  return {
    event: word("hook_event_name"),
    session: word("session_id"),
    turn: word("turn_id") || word("prompt_id"),
    cwd: word("cwd") || null,
    stopActive: value["stop_hook_active"] === true,
    tool: word("tool_name"),
    input: isRecord(input) ? input : {},
    probe: word("trueup_probe") || null,
  };
}

function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
