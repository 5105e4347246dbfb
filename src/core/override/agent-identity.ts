/** Variables that coding agents set for the commands they start; a person's own shell has none of them. */
const agentVariables: readonly string[] = [
  "TRUEUP_RUN_ID",
  "AGENT",
  "AI_AGENT",
  "CLAUDECODE",
  "CLAUDE_CODE_ENTRYPOINT",
  "CODEX_SANDBOX",
  "CODEX_SANDBOX_NETWORK_DISABLED",
  "CODEX_THREAD_ID",
  "CURSOR_AGENT",
  "GEMINI_CLI",
  "OPENCODE",
  "GOOSE_TERMINAL",
  "AUGMENT_AGENT",
  "CLINE_ACTIVE",
  "REPLIT_AGENT",
];

/** Why an environment is no person's: the variable that says so; null when none does. It is a courtesy, the key is the lock. */
export function agentSign(environment: Readonly<Record<string, string | undefined>>): string | null {
  const set = (name: string): boolean => !["", "0", "false"].includes((environment[name] ?? "").toLowerCase());
  return ["CI", ...agentVariables].find(set) ?? null;
}
