import { finding, type Rule } from "../rule.ts";

/** How the agent ended never passes anything; a bad ending is a warning beside the facts. */
export const agentStop: Rule = ({ facts: { agent } }) => {
  if (agent === null || agent.stop === "end_turn") return { findings: [] };
  const code = agent.stop === "protocol_fault" ? "agent-protocol-fault" : "agent-stopped-early";
  return { findings: [finding("warn", code, { subject: agent.driver, detail: agent.stop })] };
};
