import { expect, test } from "vitest";
import { decodePush } from "./decode-push.ts";

const ref = "refs/heads/trueup/0123456789ab";
const line = (flag: string, summary: string) => `To file:///x\n${flag}\tabc:${ref}\t${summary}\nDone\n`;

test.each([
  ["created", line("*", "[new branch]"), { kind: "created" }],
  ["the lease is stale", line("!", "[rejected] (stale info)"), { kind: "exists" }],
  ["fetch first", line("!", "[rejected] (fetch first)"), { kind: "exists" }],
  ["non-fast-forward", line("!", "[rejected] (non-fast-forward)"), { kind: "exists" }],
  [
    "a race at the remote",
    line("!", "[remote rejected] (cannot lock ref 'x': reference already exists)"),
    { kind: "exists" },
  ],
  ["up to date", line("=", "[up to date]"), { kind: "exists" }],
  [
    "a hook",
    line("!", "[remote rejected] (pre-receive hook declined)"),
    { kind: "rejected", reason: "[remote rejected] (pre-receive hook declined)" },
  ],
  ["a broken remote", line("!", "[remote failure] (remote failed to report status)"), { kind: "unknown" }],
  ["nothing", "", { kind: "unknown" }],
  ["only another branch", "*\tabc:refs/heads/other\t[new branch]\n", { kind: "unknown" }],
  ["a forced update, which we never ask for", line("+", "abc...def (forced update)"), { kind: "unknown" }],
])("[G5] the remote's answer is told apart: %s", (_, stdout, expected) => {
  expect(decodePush(stdout, ref)).toEqual(expected);
});
