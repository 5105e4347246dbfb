import { createScriptedAgent } from "../../src/adapters/agent/scripted/scripted-agent.ts";
import { describeAgentContract } from "./agent-contract.ts";

const deaf = "trap '' TERM INT HUP; while :; do sleep 1; done";

describeAgentContract("scripted", async (stage, part) => {
  const steps = [
    ...(part.run === undefined ? [] : [{ run: part.run }]),
    { say: part.say },
    ...(part.lingers === true ? [{ run: ["/bin/sh", "-c", deaf] }] : []),
  ];
  return createScriptedAgent({
    script: await stage.write("script.json", JSON.stringify({ version: 1, steps, exit: part.exit ?? 0 })),
  });
});
