import { describe, expect, test } from "vitest";
import { agentSign } from "./agent-identity.ts";

describe("agentSign", () => {
  test.each([
    ["CI=true", { CI: "true" }, "CI"],
    ["a command of `trueup run`", { TRUEUP_RUN_ID: "01a2" }, "TRUEUP_RUN_ID"],
    ["Claude Code", { CLAUDECODE: "1" }, "CLAUDECODE"],
    ["Codex", { CODEX_SANDBOX: "seatbelt" }, "CODEX_SANDBOX"],
    ["Gemini", { GEMINI_CLI: "1" }, "GEMINI_CLI"],
    ["any agent that says so", { AI_AGENT: "x" }, "AI_AGENT"],
  ])("[C1] %s is no person", (_name, environment, sign) => {
    expect(agentSign({ PATH: "/usr/bin", ...environment })).toBe(sign);
  });

  test.each([
    ["an ordinary shell", { HOME: "/home/ada", SSH_AUTH_SOCK: "/run/agent", TERM: "xterm" }],
    ["CI switched off", { CI: "false" }],
    ["empty variables", { CI: "", CLAUDECODE: "", AGENT: undefined }],
  ])("%s may be one", (_name, environment) => {
    expect(agentSign(environment)).toBeNull();
  });
});
