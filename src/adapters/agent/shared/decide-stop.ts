import type { AgentFacts, ExitFact } from "../../../core/facts/index.ts";

type Stop = AgentFacts["stop"];

const causes: Record<NonNullable<ExitFact["error"]>, Stop> = {
  timeout: "budget",
  idle: "budget",
  output: "budget",
  cancelled: "cancelled",
  memory: "crashed",
  signal: "crashed",
  spawn: "crashed",
  survivor: "crashed",
  "codes-differ": "crashed",
  "not-found": "agent_error",
  "not-executable": "agent_error",
};

/** How an agent's run ended, from how its process ended. Exit 0 is the end of a turn and nothing more. */
export function decideStop(exit: ExitFact): Stop {
  if (exit.error !== null) return causes[exit.error];
  return exit.code === 0 ? "end_turn" : "agent_error";
}
