import { expect, test } from "vitest";
import { gitHookNames, hookOwner, renderGitHook } from "./git-hook.ts";

const program = { node: "/opt/no'de/bin/node", program: "/opt/trueup/bin/trueup.js" };

test.each(gitHookNames)("[I11] our %s hook is known as ours, and as edited once somebody adds a line", (name) => {
  const text = renderGitHook(name, program);
  expect(hookOwner(text)).toBe("ours");
  expect(hookOwner(`${text}make lint\n`)).toBe("edited");
  expect(hookOwner(text.replace("exit 1", "exit 0"))).toBe("edited");
  expect(text.split("\n").filter((line) => line.startsWith("node="))).toEqual([
    String.raw`node='/opt/no'\''de/bin/node'`,
  ]);
});

test.each(["", "#!/bin/sh\nexit 0\n", "#!/bin/sh\n# trueup-hook of a kind\nexit 0\n"])(
  "[I11] a hook of somebody else is not taken for ours: %j",
  (text) => {
    expect(hookOwner(text)).toBe("other");
  },
);

test("whoever pushes cannot switch the hook of a repository off by a variable", () => {
  expect(renderGitHook("pre-push", program)).toContain("= off");
  expect(renderGitHook("pre-receive", program)).not.toContain("= off");
});
