import { describe, expect, test } from "vitest";
import type { AcceptanceContract } from "../../core/contract/index.ts";
import type { LockedVersions, ResolvedToolchain, TreeReader } from "../../ports/index.ts";
import { planRunners, refuseLockedRunners, refuseToolchainRunners } from "./planned-runners.ts";
import { refusePythonPackages } from "./python-packages.ts";

function treeOf(files: Readonly<Record<string, string>>): TreeReader {
  const bytes = (path: string): Uint8Array | null =>
    files[path] === undefined ? null : new TextEncoder().encode(files[path]);
  return {
    tree: "t",
    entries: Object.keys(files).map((path) => ({ path, mode: "100644", id: "0", size: 1 })),
    read: (path) => Promise.resolve(bytes(path)),
  };
}

const toolchain = (node: string, pytest: string | null): ResolvedToolchain => ({
  tools: [],
  mounts: [],
  path: [],
  node: "/node",
  nodeVersion: node,
  nodeAbi: "1",
  npmCli: null,
  npmVersion: null,
  python: pytest === null ? null : { binary: "/python3", version: "3.11.2", pytestVersion: pytest },
});

const manifest = JSON.stringify({ scripts: { test: "vitest run", compound: "tsc && vitest run" } });
const tree = treeOf({ "package.json": manifest, "web/a.test.ts": "" });
const tests = (command: string, cwd?: string): AcceptanceContract => ({
  tests: [{ command, passed: 1, ...(cwd === undefined ? {} : { cwd }) }],
});

async function judge(contract: AcceptanceContract | null, locked: LockedVersions): Promise<void> {
  refuseLockedRunners(await planRunners(tree, contract), locked);
}

describe("runners are refused before anything is fetched for them", () => {
  test.each([
    ["a runner that this version does not know", "npx mocha a.test.js", "5.1.2", "runner-unknown"],
    ["a version that cannot be witnessed", "npx vitest run", "0.34.6", "runner-unsupported"],
    ["a script that comes down to such a version", "npm test", "0.34.6", "runner-unsupported"],
    ["a runner that no lockfile installs", "npx vitest run", null, "runner-not-installed"],
    ["a script whose flags would reach another program", "npm run compound", "5.1.2", "contract-invalid"],
    ["a script that is not there", "npm run absent", "5.1.2", "contract-invalid"],
  ])("[D7] %s", async (_name, command, version, code) => {
    await expect(judge(tests(command), () => version)).rejects.toMatchObject({ code });
  });

  test("a known version, and a contract without tests, go on", async () => {
    await expect(judge(tests("npm test"), () => "3.2.4")).resolves.toBeUndefined();
    await expect(judge({ commands: [{ command: "npm run lint" }] }, () => null)).resolves.toBeUndefined();
    await expect(judge(null, () => null)).resolves.toBeUndefined();
  });

  test("the version is looked up from the directory that the tests run in", async () => {
    const asked: string[] = [];
    const locked: LockedVersions = (cwd, name) => {
      asked.push(`${cwd}:${name}`);
      return "4.0.8";
    };
    await judge(tests("npx vitest run a.test.ts", "./web/"), locked);
    expect(asked).toEqual(["web:vitest"]);
  });

  test("a runner that another package has is refused with that package's name", async () => {
    await expect(judge(tests("npx vitest run a.test.ts"), () => null)).rejects.toMatchObject({
      message: expect.stringContaining("a.test.ts is a file of web") as string,
      hint: 'Set `cwd` of the tests entry to "web".',
    });
  });

  test.each([
    ["node:test of a node that cannot be witnessed", "node --test", "18.20.0", "8.0.0", "runner-unsupported"],
    ["pytest on a machine without it", "pytest", "24.0.0", null, "runner-not-installed"],
    ["a pytest that cannot be witnessed", "python3 -m pytest", "24.0.0", "6.2.5", "runner-unsupported"],
  ])("[D7] %s", async (_name, command, node, pytest, code) => {
    const planned = await planRunners(tree, tests(command));
    expect(() => refuseToolchainRunners(planned, toolchain(node, pytest))).toThrow(
      expect.objectContaining({ code }) as Error,
    );
  });

  test.each([["node --test"], ["pytest"], ["npx vitest run"]])(
    "%s goes on without a lockfile's word",
    async (command) => {
      const planned = await planRunners(tree, tests(command));
      expect(() => refuseToolchainRunners(planned, toolchain("24.0.0", "9.0.3"))).not.toThrow();
      if (command !== "npx vitest run") expect(() => refuseLockedRunners(planned, () => null)).not.toThrow();
    },
  );

  test.each([
    ["at the root", { "requirements.txt": "requests\n" }, undefined],
    ["beside the tests", { "api/uv.lock": "" }, "api"],
    ["at the root of tests elsewhere", { "poetry.lock": "", "api/a.py": "" }, "api"],
  ])("[D7] pytest with packages named in a file %s", async (_name, files, cwd) => {
    const planned = await planRunners(treeOf(files), tests("pytest", cwd));
    expect(() => refusePythonPackages(planned)).toThrow(
      expect.objectContaining({ code: "lockfile-unsupported" }) as Error,
    );
  });

  test("pytest without such a file goes on, and so does another runner beside one", async () => {
    const docs = treeOf({ "docs/requirements.txt": "", "requirements/testing.in": "", "setup.cfg": "" });
    expect(() => refusePythonPackages([])).not.toThrow();
    const plain = await planRunners(docs, tests("pytest"));
    expect(() => refusePythonPackages(plain)).not.toThrow();
    const node = await planRunners(treeOf({ "requirements.txt": "" }), tests("node --test"));
    expect(() => refusePythonPackages(node)).not.toThrow();
  });
});
