import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ErrorCode } from "../../src/error-table.ts";
import { expectJsonRefusal, expectRefusal, openStage, type Ended, type Stage } from "./bad-input-stage.ts";
import { plain } from "./dependencies-packages.ts";
import { openStubRegistry, type StubRegistry } from "./dependencies-stub-registry.ts";
import { plainGit } from "./pipeline-stage.ts";

type Json = Readonly<Record<string, unknown>>;

/** A manifest and its lockfile with one dependency; `locked` replaces what the lockfile says of it. */
function packageFiles(locked: Json | null, more: { manifest?: Json; lockfile?: Json } = {}): Record<string, string> {
  const dependencies = { plain: "1.0.0" };
  const root = { name: "app", version: "1.0.0", dependencies };
  const packages = { "": root, ...(locked === null ? {} : { "node_modules/plain": locked }) };
  return {
    "package.json": JSON.stringify({ ...root, ...more.manifest }),
    "package-lock.json": JSON.stringify({
      name: "app",
      lockfileVersion: 3,
      requires: true,
      packages,
      ...more.lockfile,
    }),
  };
}

const contract = { commands: [{ command: "true" }] };

let stage: Stage;
let registry: StubRegistry;
let env: Record<string, string>;
beforeAll(async () => {
  stage = openStage();
  registry = await openStubRegistry([plain]);
  env = { PATH: process.env["PATH"] ?? "", npm_config_registry: registry.url };
  stage.write({
    "contract.json": JSON.stringify(contract),
    "tests.json": JSON.stringify({ tests: [{ command: "npx vitest run", passed: 1 }] }),
  });
});
afterAll(async () => {
  await registry.close();
  stage[Symbol.dispose]();
});

const good = (): Json => ({ version: "1.0.0", integrity: registry.integrity("plain") });

describe("dependencies that cannot be installed with integrity", () => {
  type Row = readonly [what: string, code: ErrorCode, says: RegExp, files: () => Record<string, string>];
  const without = (files: Record<string, string>, name: string): Record<string, string> =>
    Object.fromEntries(Object.entries(files).filter(([file]) => file !== name));
  const lock =
    (change: (locked: Json) => Json, more: Parameters<typeof packageFiles>[1] = {}) =>
    () =>
      packageFiles(change(good()), more);
  const table: readonly Row[] = [
    [
      "no lockfile",
      "lockfile-missing",
      /package-lock\.json/u,
      () => without(packageFiles(good()), "package-lock.json"),
    ],
    [
      "another manager's lockfile",
      "lockfile-unsupported",
      /bun\.lockb/u,
      () => ({ ...without(packageFiles(good()), "package-lock.json"), "bun.lockb": "" }),
    ],
    [
      "a lockfile that is not JSON",
      "lockfile-invalid",
      /JSON/u,
      () => ({ ...packageFiles(good()), "package-lock.json": "{" }),
    ],
    [
      "an old lockfile",
      "lockfile-unsupported",
      /lockfileVersion 1/u,
      lock((one) => one, { lockfile: { lockfileVersion: 1 } }),
    ],
    [
      "a manifest that is not JSON",
      "manifest-invalid",
      /package\.json/u,
      () => ({ ...packageFiles(good()), "package.json": "{" }),
    ],
    [
      "a manifest that asks for more",
      "lockfile-out-of-step",
      /package\.json asks for plain 2\.0\.0, it holds 1\.0\.0/u,
      lock((one) => one, { manifest: { dependencies: { plain: "2.0.0" } } }),
    ],
    [
      "a lockfile that points at git",
      "unsupported-dependency",
      /plain@1\.0\.0 \(node_modules\/plain comes from git\+ssh:/u,
      lock((one) => ({ ...one, resolved: "git+ssh://git@example.invalid/plain.git#0123456" })),
    ],
    [
      "a lockfile without integrity",
      "lockfile-invalid",
      /node_modules\/plain has no integrity/u,
      lock(() => ({ version: "1.0.0" })),
    ],
    [
      "a package with other content",
      "dependency-integrity",
      /plain@1\.0\.0/u,
      lock((one) => ({ ...one, integrity: `sha512-${Buffer.alloc(64, 1).toString("base64")}` })),
    ],
  ];

  test.each(table)("%s is an honest account, and nothing is installed", async (...row) => {
    const [what, code, says, files] = row;
    const work = stage.repository(what.replaceAll(/[ ']/gu, "-"), files(), { "a.txt": "a\n" });
    const argv = ["check", "--quiet", "--contract", "../contract.json"];
    expectRefusal(await stage.run(work, argv, env), { code, says });
    expectJsonRefusal(await stage.run(work, [...argv, "--json"], env), code);
    expect(storedPackages()).toEqual([]);
  });

  test("a runner that nothing installs is named with the way to install it, and nothing is fetched", async () => {
    const asked = registry.asked.length;
    const work = stage.repository("no-runner", { "package.json": '{"name":"app"}' }, { "a.txt": "a\n" });
    const ended = await stage.run(work, ["check", "--quiet", "--contract", "../tests.json"], env);
    expectRefusal(ended, { code: "runner-not-installed", says: /vitest/u, hint: /package\.json/u });
    expect(registry.asked.length).toBe(asked);
  });

  function storedPackages(): readonly string[] {
    const dependencies = path.join(stage.cache, "dependencies");
    if (!existsSync(dependencies)) return [];
    return readdirSync(dependencies, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith("plain.js"));
  }
});

test("[F2] a dependency that the registry answers 404 for: deliver says which, before an agent is started", async () => {
  registry.answer("/ghost/-/ghost-9.9.9.tgz", (response) => response.writeHead(404).end("{}"));
  const root = { name: "app", version: "1.0.0", dependencies: { ghost: "9.9.9" } };
  const ghost = { version: "9.9.9", integrity: registry.integrity("plain") };
  const source = stage.repository("ghostly", {
    "package.json": JSON.stringify(root),
    "package-lock.json": JSON.stringify({
      name: "app",
      lockfileVersion: 3,
      packages: { "": root, "node_modules/ghost": ghost },
    }),
  });
  plainGit(stage.home, "clone", "-q", "--bare", source, "ghostly.git");
  stage.write({
    "task.json": JSON.stringify({ title: "T", repo: "./ghostly.git", prompt: "Do it.", contract }),
    "agent.json": JSON.stringify({ version: 1, steps: [{ write: { path: "x.txt", text: "x\n" } }] }),
  });
  const deliver = (...flags: readonly string[]): Promise<Ended> =>
    stage.run(stage.home, ["deliver", "task.json", "--agent", "scripted:agent.json", ...flags], env);
  const ended = await deliver();
  expectRefusal(ended, { code: "dependency-not-found", says: /ghost@9\.9\.9/u, hint: /registry/u });
  expect(ended.stderr).toMatch(/^✗ installing dependencies \(dependency-not-found\)$/mu);
  expect(ended.stderr).not.toMatch(/the agent works/u);
  expectJsonRefusal(await deliver("--json"), "dependency-not-found");
  expect(plainGit(stage.path("ghostly.git"), "for-each-ref", "--format=%(refname)")).toBe("refs/heads/main\n");
  expect(existsSync(stage.path("ghostly.git.pulls"))).toBe(false);
});
