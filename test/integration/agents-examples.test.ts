import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createScriptedAgent } from "../../src/adapters/agent/scripted/scripted-agent.ts";
import { openStage, type Stage } from "./agents-stage.ts";

const agents = join(import.meta.dirname, "../../examples/agents");
const canary = join(import.meta.dirname, "../../examples/slug-canary");
const canaryFiles = ["README.md", "src/slugify.ts", "test/slugify.test.ts"];

describe("the example agents, on the slug canary", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.dispose());

  async function readCanary(): Promise<Record<string, string>> {
    return Object.fromEntries(
      await Promise.all(canaryFiles.map(async (path) => [path, await readFile(join(canary, path), "utf8")] as const)),
    );
  }

  /** Plays an example with one more step that counts its change in the agent's own repository. */
  async function playExample(name: string) {
    const example = JSON.parse(await readFile(join(agents, `${name}.json`), "utf8")) as { steps: unknown[] };
    const steps = [...example.steps, { run: ["git", "diff", "--numstat"] }];
    const agent = createScriptedAgent({
      script: await stage.write(`${name}.json`, JSON.stringify({ ...example, steps })),
    });
    const { result } = await stage.play(agent, { base: await readCanary() });
    const ran = JSON.parse(result.transcript.trimEnd().split("\n").at(-1) ?? "") as { stdout: string };
    return { result, numstat: ran.stdout.trimEnd().replaceAll("\t", " ").split("\n") };
  }

  test.each([
    { name: "honest", numstat: ["1 1 src/slugify.ts", "5 0 test/slugify.test.ts"], claim: "added 1 test" },
    { name: "claims-two-tests", numstat: ["1 1 src/slugify.ts"], claim: "added 2 tests" },
    {
      name: "out-of-scope",
      numstat: ["1 1 README.md", "1 1 src/slugify.ts", "5 0 test/slugify.test.ts"],
      claim: "README",
    },
  ])("[H13] $name changes what it is for, whatever it says", async ({ name, numstat, claim }) => {
    const played = await playExample(name);
    expect(played.numstat).toEqual(numstat);
    expect(played.result).toMatchObject({
      claim: expect.stringContaining(claim) as string,
      facts: { stop: "end_turn", exit: 0 },
    });
  });

  test("every example is a script as it lies there", async () => {
    const names = await readdir(agents);
    expect(names.length).toBeGreaterThanOrEqual(3);
    for (const name of names) expect(createScriptedAgent({ script: join(agents, name) }).driver).toBe("scripted");
  });
});
