import { expect, test } from "vitest";
import {
  addAgentHooks,
  agentClients,
  agentSettingsFile,
  findAgentCommands,
  removeAgentHooks,
} from "./agent-settings.ts";

const program = { node: "/opt/node", program: "/opt/trueup/bin/trueup.js" };
const own = {
  hooks: { Stop: [{ hooks: [{ type: "command", command: "say done" }] }] },
  permissions: { allow: ["Bash"] },
};

const added = (text: string | null, where = program as typeof program | null): string => {
  const edit = addAgentHooks(text, "claude", where);
  if (edit === null) throw new Error("refused");
  return edit.text;
};

test.each([
  ["no file", null, ""],
  ["settings without hooks", '{\n    "model": "x"\n}\n', '{\n    "model": "x"\n}\n'],
  ["settings with other hooks", JSON.stringify(own, null, 2), JSON.stringify(own, null, 2)],
  ["tabs", '{\n\t"a": 1\n}', '{\n\t"a": 1\n}'],
])("[I11] what is added to %s is taken out again, and nothing else", (_name, before, after) => {
  const text = added(before);
  expect(findAgentCommands(text).map(({ event }) => event)).toEqual(["Stop", "PreToolUse"]);
  expect(added(text)).toBe(text);
  expect(removeAgentHooks(text)).toEqual({ text: after });
});

test("an older path of ours is replaced, not doubled", () => {
  const text = added(added(null, { node: "/old/node", program: "/old/trueup.js" }));
  expect(text).not.toContain("/old/");
  expect(findAgentCommands(text)).toHaveLength(2);
});

test("[I11] a group that holds somebody else's command beside ours keeps it", () => {
  const settings = JSON.parse(added(null)) as { hooks: { Stop: { hooks: unknown[] }[] } };
  settings.hooks.Stop[0]?.hooks.push({ type: "command", command: "say done" });
  const edit = removeAgentHooks(JSON.stringify(settings));
  expect(JSON.parse(edit?.text ?? "")).toEqual({ hooks: { Stop: own.hooks.Stop } });
});

test.each(["// a comment\n{}", "[]", '{"hooks": []}', '{"hooks": {"Stop": {}}}', "{,}"])(
  "[I11] what is no settings is left as it is: %j",
  (text) => {
    expect(addAgentHooks(text, "claude", program)).toBeNull();
    expect(findAgentCommands(text)).toEqual([]);
  },
);

test("a project's settings name no path of this machine", () => {
  for (const client of agentClients) expect(JSON.stringify(addAgentHooks(null, client, null))).not.toContain("/opt/");
});

test.each([
  ["claude", { project: "/p" }, "/p/.claude/settings.json"],
  ["codex", { env: { HOME: "/h" } }, "/h/.codex/hooks.json"],
  ["codex", { env: { HOME: "/h", CODEX_HOME: "/c" } }, "/c/hooks.json"],
  ["claude", { env: { CLAUDE_CONFIG_DIR: "relative" } }, null],
  ["claude", { env: {} }, null],
] as const)("settings of %s in %j", (client, where, file) => {
  expect(agentSettingsFile(client, where)).toBe(file);
});
