import { agentClients, agentSettingsFile, findAgentCommands, type AgentClient } from "../../core/hooks/index.ts";
import type { HookFiles } from "../../ports/index.ts";

/** The agents whose settings, of the project or of this person, hold our hooks. What cannot be read holds none. */
export async function findHookedAgents(
  place: { readonly root: string; readonly env: Readonly<Record<string, string | undefined>> },
  files: HookFiles,
): Promise<readonly AgentClient[]> {
  const hooked: AgentClient[] = [];
  for (const client of agentClients) {
    const settings = [
      agentSettingsFile(client, { project: place.root }),
      agentSettingsFile(client, { env: place.env }),
    ];
    const known = settings.filter((file) => file !== null);
    const texts = await Promise.all(known.map((file) => files.read(file).catch(() => null)));
    if (texts.some((text) => text !== null && findAgentCommands(text).length > 0)) hooked.push(client);
  }
  return hooked;
}
