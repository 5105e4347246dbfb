import { describe, expect, test } from "vitest";
import { parseAgentSpec } from "./parse-agent-spec.ts";

describe("parseAgentSpec", () => {
  test.each([
    ["scripted:a/b.json", { driver: "scripted", script: "/here/a/b.json" }],
    ["scripted: /abs/b c.json ", { driver: "scripted", script: "/abs/b c.json" }],
    ["command:claude -p 'do it'", { driver: "command", argv: ["claude", "-p", "do it"] }],
    ["command:./agent.sh --fast", { driver: "command", argv: ["/here/agent.sh", "--fast"] }],
    ["command:/opt/my/agent", { driver: "command", argv: ["/opt/my/agent"] }],
  ])("%s", (text, spec) => {
    expect(parseAgentSpec(text, "/here")).toEqual({ ok: true, spec });
  });

  test.each([
    ["", "give scripted:FILE"],
    ["honest.json", "give scripted:FILE"],
    ["scripted:", "names no file"],
    ["scripted:a\0b", "names no file"],
    ["command:", "names no program"],
    ["command:agent | tee log", "a pipe"],
    ["command:agent $(id)", "an expansion"],
    ["command:agent 'half", "not closed"],
    ["acp:gemini", "there is no driver acp"],
    ["__proto__:x", "give scripted:FILE"],
  ])("%j is refused with the reason", (text, reason) => {
    expect(parseAgentSpec(text, "/here")).toMatchObject({
      ok: false,
      reason: expect.stringContaining(reason) as string,
    });
  });
});
