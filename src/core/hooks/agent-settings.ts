import { quoteForShell, type HookProgram } from "./git-hook.ts";

/** The agents whose hooks we know. Both read the same JSON. */
export const agentClients = ["claude", "codex"] as const;

export type AgentClient = (typeof agentClients)[number];

/** Our hooks of an agent, by the client's own name for the event. */
export const agentHooks = { Stop: "stop", PreToolUse: "pre-tool" } as const;

/**
 * Where an agent reads its hooks: in the project, or in the person's own place, which the agent's own variable may move.
 * Null where the person's place is not known.
 */
export function agentSettingsFile(
  client: AgentClient,
  where: { readonly project: string } | { readonly env: Readonly<Record<string, string | undefined>> },
): string | null {
  const [folder, name, variable] = {
    claude: [".claude", "settings.json", "CLAUDE_CONFIG_DIR"] as const,
    codex: [".codex", "hooks.json", "CODEX_HOME"] as const,
  }[client];
  if ("project" in where) return `${where.project}/${folder}/${name}`;
  const home = where.env["HOME"];
  const directory = where.env[variable] || (home ? `${home}/${folder}` : "");
  return directory.startsWith("/") ? `${directory}/${name}` : null;
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type JsonObject = { readonly [key: string]: Json };

/** Seconds a client waits for us before it goes on without. */
const patience = { Stop: 60, PreToolUse: 10 } as const;

/** New text for a settings file; null means that it holds something else than settings and stays as it is. */
export type SettingsEdit = { readonly text: string } | null;

/**
 * Where our command is. Absolute in a person's own settings. Settings of a project are committed and read on other machines:
 * they name the project's own installation, else whatever the PATH has.
 */
export function agentCommand(client: AgentClient, event: keyof typeof agentHooks, program: HookProgram | null): string {
  const words = `hook run ${agentHooks[event]} --client ${client}`;
  if (program !== null) return `${quoteForShell(program.node)} ${quoteForShell(program.program)} ${words}`;
  const root = client === "claude" ? '"${CLAUDE_PROJECT_DIR:-.}"' : '"$(git rev-parse --show-toplevel)"';
  return `PATH=${root}/node_modules/.bin:"$PATH" trueup ${words}`;
}

/** Puts our hooks into an agent's settings, in place of ours that are there; everything else stays. `text` null: no file. */
export function addAgentHooks(text: string | null, client: AgentClient, program: HookProgram | null): SettingsEdit {
  const settings = parseSettings(text ?? "{}");
  if (settings === null) return null;
  const hooks = { ...withoutOurs(settings.hooks) };
  for (const event of ["Stop", "PreToolUse"] as const) {
    const hook = { type: "command", command: agentCommand(client, event, program), timeout: patience[event] };
    const matcher = event === "PreToolUse" ? { matcher: "*" } : {};
    hooks[event] = [...(hooks[event] ?? []), { ...matcher, hooks: [hook] }];
  }
  return { text: render({ ...settings.whole, hooks: hooks as JsonObject }, text) };
}

/** Takes our hooks out again; `{ text: "" }` when nothing else is left, so that the file may go if we made it. */
export function removeAgentHooks(text: string): SettingsEdit {
  const settings = parseSettings(text);
  if (settings === null) return null;
  if (findAgentCommands(text).length === 0) return { text };
  const hooks = withoutOurs(settings.hooks);
  const { hooks: _, ...rest } = settings.whole;
  const whole = Object.keys(hooks).length === 0 ? rest : { ...settings.whole, hooks: hooks as JsonObject };
  return { text: Object.keys(whole).length === 0 ? "" : render(whole, text) };
}

/** Our commands in an agent's settings, by event; none in text that is no settings. */
export function findAgentCommands(
  text: string,
): readonly { readonly event: keyof typeof agentHooks; readonly command: string }[] {
  const settings = parseSettings(text);
  if (settings === null) return [];
  return (["Stop", "PreToolUse"] as const).flatMap((event) =>
    (settings.hooks[event] ?? []).flatMap((group) =>
      commandsOf(group)
        .filter(isOurs)
        .map((command) => ({ event, command })),
    ),
  );
}

const ours = /\bhook run (?:stop|pre-tool) --client (?:claude|codex)$/u;

function isOurs(command: string): boolean {
  return ours.test(command) && command.includes("trueup");
}

type Groups = { readonly [event: string]: readonly Json[] };

function parseSettings(text: string): { readonly whole: JsonObject; readonly hooks: Groups } | null {
  let whole: Json;
  try {
    whole = JSON.parse(text.trim() === "" ? "{}" : text) as Json;
  } catch {
    return null;
  }
  if (!isObject(whole)) return null;
  const hooks = whole["hooks"] ?? {};
  if (!isObject(hooks) || !Object.values(hooks).every((groups) => Array.isArray(groups))) return null;
  return { whole, hooks: hooks as Groups };
}

/** Every event with its groups, without our commands; groups and events that held nothing else are gone. */
function withoutOurs(hooks: Groups): { [event: string]: readonly Json[] } {
  return Object.fromEntries(
    Object.entries(hooks).flatMap(([event, groups]) => {
      const kept = groups.flatMap((group) => groupWithoutOurs(group));
      return kept.length === 0 && groups.length > 0 ? [] : [[event, kept] as const];
    }),
  );
}

function groupWithoutOurs(group: Json): readonly Json[] {
  if (!commandsOf(group).some(isOurs) || !isObject(group)) return [group];
  const rest = (group["hooks"] as readonly Json[]).filter((hook) => !commandsOf({ hooks: [hook] }).some(isOurs));
  return rest.length === 0 ? [] : [{ ...group, hooks: rest }];
}

function commandsOf(group: Json): readonly string[] {
  const hooks = isObject(group) ? group["hooks"] : null;
  if (!Array.isArray(hooks)) return [];
  return (hooks as readonly Json[]).flatMap((hook) => {
    const command = isObject(hook) ? hook["command"] : null;
    return typeof command === "string" ? [command] : [];
  });
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Indented as the text before was, two spaces where it does not say. */
function render(settings: JsonObject, before: string | null): string {
  const indent = /^\{\r?\n([ \t]+)"/u.exec(before ?? "")?.[1] ?? "  ";
  return `${JSON.stringify(settings, null, indent)}${before === null || before.endsWith("\n") ? "\n" : ""}`;
}
