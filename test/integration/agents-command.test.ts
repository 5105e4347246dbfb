import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCommandAgent } from "../../src/adapters/agent/command/command-agent.ts";
import { openStage, type Stage } from "./agents-stage.ts";

describe("a program as an agent", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.dispose());

  test("a program of this machine is bound alone and read-only, with its arguments as they were", async () => {
    await stage.write("tools/neighbour", "secret");
    const program = await stage.write(
      "tools/agent.sh",
      '#!/bin/sh\nprintf "<%s>" "$@"; ls "$(dirname "$0")"; echo x >>"$0" || echo refused\n',
      0o755,
    );
    const { result } = await stage.play(createCommandAgent({ argv: [program, "a b", "", "*", "$HOME"] }));
    expect(result.claim).toBe("<a b><><*><$HOME>agent.sh\nrefused");
  });

  test("a bare name is looked up inside: the toolchain's node runs, and it is not this machine's", async () => {
    const { result } = await stage.play(createCommandAgent({ argv: ["node", "-p", "[1+1, process.cwd()].join()"] }));
    expect(result).toMatchObject({ claim: "2,/repo", facts: { stop: "end_turn", exit: 0 } });
  });

  test("a name that is nowhere inside ends as agent_error and says so", async () => {
    const { result } = await stage.play(createCommandAgent({ argv: ["no-such-agent"] }));
    expect(result.facts).toMatchObject({ stop: "agent_error", exit: 127 });
    expect(result.transcript).toContain("no-such-agent");
  });

  test("a flood of output ends as budget and the claim stays small", async () => {
    const { result } = await stage.play(createCommandAgent({ argv: ["yes", "all tests pass"] }));
    expect(result.facts.stop).toBe("budget");
    expect(result.claim.length).toBeLessThanOrEqual(4096);
  });

  test("mounted dependencies are left out of the agent's local repository", async () => {
    const store = join(stage.directory, "store");
    await mkdir(store, { recursive: true });
    await stage.write("store/left-pad/index.js", "module.exports = 1;\n");
    const dependencies = {
      facts: [],
      mounts: [{ kind: "read-only", source: store, target: "/repo/node_modules" } as const],
      mountPoints: ["node_modules"],
      path: [],
      packageVersion: () => Promise.resolve(null),
      resolveBin: () => Promise.resolve(null),
      release: () => Promise.resolve(),
    };
    const argv = ["sh", "-c", "cat node_modules/left-pad/index.js; git ls-files; git status --porcelain"];
    const { result } = await stage.play(createCommandAgent({ argv }), { job: { dependencies } });
    expect(result.claim).toBe("module.exports = 1;\na.txt");
  });

  test.each([
    ["is not there", "missing", "no such file"],
    ["is a directory", ".", "not a regular file"],
    ["cannot be executed", "plain.txt", "not executable"],
  ])("a program of this machine that %s is refused before anything runs", async (_name, name, detail) => {
    await stage.write("plain.txt", "x");
    expect(() => createCommandAgent({ argv: [join(stage.directory, name)] })).toThrow(
      expect.objectContaining({ code: "agent-invalid", detail: expect.stringContaining(detail) as string }) as Error,
    );
  });
});
