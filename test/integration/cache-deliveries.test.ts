import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { repositoryOf } from "./dependencies-stage.ts";
import { plain, scoped } from "./dependencies-packages.ts";
import { openStubRegistry } from "./dependencies-stub-registry.ts";
import { openPipeline, type Files } from "./pipeline-stage.ts";

const entry = path.resolve(import.meta.dirname, "../../src/entry/cli/main.ts");

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(argv: readonly string[], options: { cwd: string; env: NodeJS.ProcessEnv }): Promise<Ended> {
  const child = spawn(process.execPath, [entry, ...argv], { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const chunks: Record<"stdout" | "stderr", Buffer[]> = { stdout: [], stderr: [] };
  child.stdout.on("data", (chunk: Buffer) => chunks.stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => chunks.stderr.push(chunk));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout: Buffer.concat(chunks.stdout).toString(), stderr: Buffer.concat(chunks.stderr).toString() };
}

test("four deliveries at once with a cold cache fetch each package once and all pass; so do four more while the cache is cleaned again and again", async () => {
  const registry = await openStubRegistry([plain, scoped]);
  const files = Object.entries(repositoryOf(registry, [plain, scoped])).map(([name, json]) => [
    name,
    JSON.stringify(json),
  ]);
  const testFile = 'require("node:test").test("base", () => { if (require("plain") !== 1) throw Error("no"); });\n';
  const base = { ...Object.fromEntries(files), "base.test.js": testFile } as Files;
  using stage = openPipeline(base);
  const cache = path.join(stage.home, "cache");
  mkdirSync(cache, { mode: 0o700 });
  const env = { ...process.env, TRUEUP_CACHE: cache, TRUEUP_STATE: stage.state, npm_config_registry: registry.url };
  const deliver = (name: string): Promise<Ended> => {
    const content = `require("node:test").test(${JSON.stringify(name)}, () => require("node:assert").equal(require("./${name}.js"), 1));\n`;
    const steps = [
      { write: { path: `${name}.js`, text: "module.exports = 1;\n" } },
      { write: { path: `${name}.test.js`, text: content } },
    ];
    const task = {
      title: name,
      repo: stage.remote,
      prompt: "Do it.",
      agent: `scripted:${path.join(stage.home, `${name}.agent.json`)}`,
      contract: { changed_files_only: [`${name}.*`], tests: [{ command: "node --test", passed: 2 }] },
    };
    writeFileSync(path.join(stage.home, `${name}.agent.json`), JSON.stringify({ version: 1, steps }));
    writeFileSync(path.join(stage.home, `${name}.json`), JSON.stringify(task));
    return run(["deliver", `${name}.json`, "--json", "--quiet"], { cwd: stage.home, env });
  };
  const all = async (names: readonly string[]): Promise<readonly string[]> => {
    const ended = await Promise.all(names.map(deliver));
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(names.map(() => [0, ""]));
    return ended.map(({ stdout }) => (JSON.parse(stdout) as { branch: string }).branch);
  };
  expect(new Set(await all(["one", "two", "three", "four"])).size).toBe(4);
  expect(registry.asked.toSorted()).toEqual(["/@o/scoped/-/scoped-2.3.4-rc.1.tgz", "/plain/-/plain-1.0.0.tgz"]);
  expect(Object.keys(stage.refs())).toHaveLength(5);

  const ending = { ended: false };
  const more = all(["five", "six", "seven", "eight"]).finally(() => (ending.ended = true));
  const cleanings: Ended[] = [];
  while (!ending.ended) cleanings.push(await run(["cache", "clean", "--all", "--json"], { cwd: stage.home, env }));
  expect(new Set(await more).size).toBe(4);
  expect(cleanings.length).toBeGreaterThan(0);
  expect(cleanings.map(({ code }) => code)).toEqual(cleanings.map(() => 0));
  await registry.close();
});
