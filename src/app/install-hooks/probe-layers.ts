import {
  agentClients,
  agentHooks,
  agentSettingsFile,
  findAgentCommands,
  hookOwner,
  type AgentClient,
  type GitHookName,
} from "../../core/hooks/index.ts";
import { TrueupError } from "../../errors.ts";
import type { GitHookPlace, HookFiles, HookFirer } from "../../ports/index.ts";

/** One place where a layer can stand, and whether anybody answered there. */
export interface ProbedLayer {
  readonly layer: GitHookName | `${AgentClient} ${"stop" | "pre-tool"}`;
  readonly file: string;
  /** `silent`: it is installed and did not answer, so it judges nothing. */
  readonly state: "answered" | "silent" | "absent";
}

export interface ProbeRequest {
  readonly directory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Nobody who does not get the question can know it: an answer proves that our program was reached. */
  readonly nonce: string;
}

/** Fires a test event through each installed layer of a repository, as git and the agents would. Nothing is judged or written. */
export async function probeLayers(
  request: ProbeRequest,
  { files, firer }: { readonly files: HookFiles; readonly firer: HookFirer },
): Promise<readonly ProbedLayer[]> {
  const place = await files.findGitHooks(request.directory);
  if (place === null) throw new TrueupError("not-a-repository", { subject: request.directory });
  const names: readonly GitHookName[] = place.root === null ? ["pre-receive"] : ["pre-commit", "pre-push"];
  const git = await Promise.all(names.map((name) => probeGitHook(name, { request, place, files, firer })));
  const { root } = place;
  if (root === null) return git;
  const agents = await Promise.all(agentClients.map((client) => probeAgent(client, { request, root, files, firer })));
  return [...git, ...agents.flat()];
}

interface Probe {
  readonly request: ProbeRequest;
  readonly files: HookFiles;
  readonly firer: HookFirer;
}

async function probeGitHook(
  name: GitHookName,
  { request, place, files, firer }: Probe & { readonly place: GitHookPlace },
): Promise<ProbedLayer> {
  const file = `${place.directory}/${name}`;
  const text = await files.read(file);
  // A hook of another tool may call us too: what decides is whether we are reached.
  const named = text !== null && (hookOwner(text) !== "other" || text.includes("trueup"));
  if (!named) return { layer: name, file, state: "absent" };
  const said = await firer.fire({
    argv: [file],
    cwd: place.root ?? request.directory,
    input: "",
    env: { TRUEUP_HOOK: "probe" },
  });
  const answered = said?.includes(`trueup-hook-answer ${name}`) === true;
  return { layer: name, file, state: answered ? "answered" : "silent" };
}

async function probeAgent(
  client: AgentClient,
  { request, root, files, firer }: Probe & { readonly root: string },
): Promise<readonly ProbedLayer[]> {
  const places = [agentSettingsFile(client, { project: root }), agentSettingsFile(client, { env: request.env })];
  const probed: ProbedLayer[] = [];
  for (const file of new Set(places.filter((one) => one !== null))) {
    for (const { event, command } of findAgentCommands((await files.read(file)) ?? "{}")) {
      const hook = agentHooks[event];
      const said = await firer.fire({
        argv: ["sh", "-c", command],
        cwd: root,
        input: JSON.stringify({ hook_event_name: event, session_id: "doctor", cwd: root, trueup_probe: request.nonce }),
        env: client === "claude" ? { CLAUDE_PROJECT_DIR: root } : {},
      });
      const answered = said?.includes(`trueup-hook-answer ${hook} ${request.nonce}`) === true;
      probed.push({ layer: `${client} ${hook}`, file, state: answered ? "answered" : "silent" });
    }
  }
  return probed;
}
