import { expect, test } from "vitest";
import { parseAgentEvent } from "./agent-event.ts";
import { decideTool, writtenBy } from "./decide-tool.ts";

const contract = {
  changed_files_forbidden: ["secret/**"],
  allow_protected: ["tsconfig.json"],
  commands: [{ command: "true" }],
};
const decide = (tool_name: string, tool_input: object, more: { outside?: boolean; inState?: boolean } = {}): string => {
  const event = parseAgentEvent(JSON.stringify({ hook_event_name: "PreToolUse", tool_name, tool_input }));
  if (event === null) throw new Error("not an event");
  const written = writtenBy(event).map((said) => ({
    said,
    paths: [more.outside === true ? null : said],
    inState: more.inState === true,
  }));
  const answer = decideTool(event, written, contract);
  return answer.kind === "deny" ? answer.reason : "allow";
};
const patch = (line: string): object => ({
  command: `apply_patch <<'E'\n*** Begin Patch\n${line}\n@@\n*** End Patch\nE`,
});

test.each([
  ["Write", { file_path: "src/a.ts" }, "allow"],
  ["Write", { file_path: "secret/key" }, "the contract forbids it"],
  ["Edit", { file_path: ".github/workflows/ci.yml" }, "decides what the forge runs"],
  ["MultiEdit", { file_path: ".trueup/contract.json", edits: [] }, "the gate's own policy"],
  ["NotebookEdit", { notebook_path: "secret/a.ipynb" }, "the contract forbids it"],
  ["Write", { file_path: ".git/hooks/pre-commit" }, "git's own"],
  ["Write", { file_path: "tsconfig.json" }, "allow"],
  ["Write", { file_path: "package.json" }, "allow"],
  ["Read", { file_path: "secret/key" }, "allow"],
  ["Bash", { command: "cat secret/key" }, "allow"],
  ["Bash", { command: "npm test > out.txt 2>/dev/null" }, "allow"],
  ["Bash", { command: "echo x > secret/key" }, "the contract forbids it"],
  ["Bash", { command: "echo x >>'.trueup/config.json'" }, "the gate's own policy"],
  ["Bash", patch("*** Update File: .trueup/contract.json"), "the gate's own policy"],
  ["apply_patch", { input: "*** Delete File: secret/a" }, "the contract forbids it"],
  ["apply_patch", { input: "*** Update File: a\n*** Move to: secret/a" }, "the contract forbids it"],
  ["Bash", { command: ["bash", "-lc", "git push --no-verify"] }, "leaves git's hooks out"],
  ["Bash", { command: "git commit -anm done" }, "leaves git's hooks out"],
  ["Bash", { command: "git commit -am done" }, "allow"],
  ["Bash", { command: "TRUEUP_HOOK=off git push" }, "switches the hooks off"],
  ["Bash", { command: "git -c core.hooksPath=/dev/null commit" }, "takes the hooks away"],
  ["Bash", { command: "npx trueup start --contract easy.json" }, "pins or unpins"],
  ["Bash", { command: "npx trueup run -- npm test" }, "allow"],
  ["Bash", { command: "trueup hook uninstall" }, "pins or unpins"],
])("[C11] %s %j: %s", (tool, input, wanted) => {
  if (wanted === "allow") expect(decide(tool, input)).toBe("allow");
  else expect(decide(tool, input)).toContain(wanted);
});

test("[C11] records of ours are nobody's to write; what lies outside the work tree is not the contract's matter", () => {
  expect(decide("Write", { file_path: "/s/records.jsonl" }, { inState: true })).toContain("its own records");
  expect(decide("Write", { file_path: "/tmp/x" }, { outside: true })).toBe("allow");
});
