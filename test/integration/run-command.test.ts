import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../../src/app/gather/run-command.ts";
import type { CommandFacts } from "../../src/core/facts/index.ts";
import { openVitestBench, type VitestBench } from "./vitest-bench.ts";

const files = {
  "ok.mjs": `console.log("cwd", process.cwd()); console.error("err");`,
  "three.mjs": `process.exitCode = 3;`,
  "web/where.mjs": `console.log(process.cwd(), process.env.CI, process.env.TRUEUP_CHANNEL);`,
  "plain.sh": "#!/bin/sh\necho plain\n",
};

describe("acceptance commands in the clean room", () => {
  let bench: VitestBench;
  beforeAll(async () => {
    bench = await openVitestBench();
  });
  afterAll(() => bench.close());

  async function run(command: string, cwd?: string): Promise<CommandFacts> {
    const room = await bench.openRoom(files);
    const { sandbox, toolchain, dependencies } = bench;
    const entry = { command, timeout_seconds: 60, ...(cwd === undefined ? {} : { cwd }) };
    const fixed = {
      sandbox,
      room,
      toolchain,
      dependencies,
      tree: "0",
      purpose: "head",
      kind: "command",
      criterion: 0,
    } as const;
    try {
      return await runCommand({ ...fixed, entry });
    } finally {
      await room.close();
    }
  }

  it("gives the exit code and both streams apart", async () => {
    const facts = await run("node ok.mjs");
    expect(facts).toMatchObject({ exit: { code: 0, error: null }, argv: [bench.toolchain.node, "ok.mjs"], cwd: "" });
    expect(facts.stdout.head).toBe("cwd /repo\n");
    expect(facts.stderr.head).toBe("err\n");
  });

  it("runs in the directory of the contract, with our environment", async () => {
    const facts = await run("node where.mjs", "web");
    expect(facts.stdout.head).toBe("/repo/web 1 undefined\n");
  });

  it.each([
    ["a failing program", "node three.mjs", { code: 3, error: null }],
    ["a program that does not exist", "no-such-program --flag", { code: null, error: "not-found" }],
    [
      "a launcher naming a program the dependencies lack; nothing is fetched",
      "npx no-such-package",
      { code: null, error: "not-found" },
    ],
    ["a file that may not be executed", "./plain.sh", { code: null, error: "not-executable" }],
  ])("%s", async (_name, command, exit) => {
    expect((await run(command)).exit).toMatchObject(exit);
  });

  it.each(["npx vitest --version", "npm exec -- vitest --version", "pnpm exec vitest --version", "vitest --version"])(
    "%s runs the clean room's own binary",
    async (command) => {
      const facts = await run(command);
      expect(facts.argv).toEqual(["/repo/node_modules/vitest/vitest.mjs", "--version"]);
      expect(facts.exit.code).toBe(0);
      expect(facts.stdout.head).toMatch(/^vitest\/5/u);
    },
  );

  it("a command that needs a shell is refused before anything runs", async () => {
    await expect(run("node ok.mjs && node ok.mjs")).rejects.toMatchObject({ code: "contract-invalid" });
  });
});
