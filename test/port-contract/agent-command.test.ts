import { createCommandAgent } from "../../src/adapters/agent/command/command-agent.ts";
import { describeAgentContract } from "./agent-contract.ts";

const quote = (word: string) => `'${word.replaceAll("'", String.raw`'\''`)}'`;

const deaf = "trap '' TERM INT HUP; while :; do sleep 1; done";

describeAgentContract("command", async (stage, part) => {
  const lines = [
    (part.run ?? []).map(quote).join(" "),
    `printf '%s\\n' ${quote(part.say)}`,
    part.lingers === true ? deaf : `exit ${part.exit ?? 0}`,
  ];
  return createCommandAgent({ argv: [await stage.write("agent.sh", `#!/bin/sh\n${lines.join("\n")}\n`, 0o755)] });
});
