import { mkdir, readFile, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { TreeReader } from "../../src/ports/index.ts";
import {
  failureOf,
  installFrom,
  leftovers,
  openStage,
  packageRoot,
  repositoryOf,
  treeOf,
  type InstallOptions,
  type Stage,
} from "./dependencies-stage.ts";
import { plain, scoped } from "./dependencies-packages.ts";
import { openStubRegistry, type StubRegistry } from "./dependencies-stub-registry.ts";

let stage: Stage;
let registry: StubRegistry;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());
beforeEach(async () => {
  registry = await openStubRegistry([plain, scoped]);
});
afterEach(async () => {
  await registry.close();
  await rm(path.join(stage.cache, "dependencies"), { recursive: true, force: true });
});

const install = (tree: TreeReader, options?: InstallOptions) => installFrom(stage, registry, tree)(options);

describe("[F2] installing from the committed lockfile", () => {
  test("[F2] packages come through the proxy, are frozen, and a second install asks nobody", async () => {
    const tree = treeOf(repositoryOf(registry, [plain, scoped]));
    const first = await install(tree);
    expect(first.facts).toMatchObject([
      { root: "", manager: "npm", lockfile: "package-lock.json", packages: 2, scripts: "none" },
    ]);
    expect(first.mountPoints).toEqual(["node_modules"]);
    expect(first.mounts[0]).toMatchObject({ kind: "read-only", target: "/repo/node_modules" });
    expect(first.mounts.slice(1).map((mount) => mount.target)).toEqual(
      [".vite", ".vite-temp", ".vitest-cache", ".cache"].map((name) => `/repo/node_modules/${name}`),
    );
    expect(await first.packageVersion("src/deep", "@o/scoped")).toBe("2.3.4-rc.1");
    expect(await first.packageVersion("", "absent")).toBeNull();
    expect(await first.resolveBin("src", "plain")).toBe("/repo/node_modules/plain/bin/plain.js");
    expect(await first.resolveBin("", "../plain")).toBeNull();
    const asked = registry.asked.length;
    expect(asked).toBe(2);
    const second = await install(tree);
    expect(second.facts).toEqual(first.facts);
    expect(registry.asked.length).toBe(asked);
    await Promise.all([first.release(), second.release()]);
    const marks = await readdir(path.join(stage.cache, "uses", "dependencies"));
    expect(marks.filter((mark) => mark.includes(".held."))).toEqual([]);
  });

  test("the store is visible in the sandbox, cannot be written there, and its caches can", async () => {
    const installed = await install(treeOf(repositoryOf(registry, [plain])));
    const base = path.join(stage.cache, "base");
    await mkdir(path.join(base, "node_modules"), { recursive: true });
    const room = await stage.sandbox.openRoom({ base, deltas: [], mountPoints: installed.mountPoints, bytes: 2 ** 24 });
    try {
      const script =
        "const fs = require('fs'); const t = (p) => { try { fs.writeFileSync(p, 'x'); return 'written' } catch (e) { return e.code } }; console.log(require('plain'), t('node_modules/plain/index.js'), t('node_modules/new'), t('node_modules/.vite-temp/x'))";
      const result = await stage.sandbox.run({
        phase: "test",
        argv: [stage.toolchain.node, "-e", script],
        cwd: "/repo",
        env: { PATH: "/usr/bin:/bin" },
        room,
        mounts: [...stage.toolchain.mounts, ...installed.mounts],
        limits: { wall_ms: 60_000, idle_ms: null, memory_bytes: 2 ** 30, pids: 64, output_bytes: 2 ** 20 },
        proc: "synthetic",
      });
      expect(new TextDecoder().decode(result.stdout).trim()).toBe("1 EROFS EROFS written");
    } finally {
      await room.close();
      await installed.release();
    }
  });

  test("no manifest, and a manifest without dependencies, need no lockfile", async () => {
    expect((await install(treeOf({ "README.md": "x" }))).facts).toEqual([]);
    const empty = await install(treeOf({ "package.json": { name: "r" } }));
    expect(empty.facts).toEqual([
      { root: "", manager: "none", lockfile: null, key: null, packages: 0, scripts: "none" },
    ]);
    expect(empty.mounts).toEqual([]);
    expect(empty.mountPoints).toEqual([]);
    expect(await leftovers(stage)).toEqual([]);
  });

  test.each<[string, Record<string, unknown>, string, string]>([
    ["no lockfile", { "package.json": { dependencies: { a: "1" } } }, "lockfile-missing", "package-lock.json"],
    [
      "pnpm's alone",
      { "package.json": { dependencies: { a: "1" } }, "pnpm-lock.yaml": "x" },
      "lockfile-unsupported",
      "pnpm-lock.yaml",
    ],
    [
      "yarn's alone",
      { "package.json": { dependencies: { a: "1" } }, "yarn.lock": "x" },
      "lockfile-unsupported",
      "yarn.lock",
    ],
    [
      "two, and packageManager names pnpm",
      {
        "package.json": { dependencies: { a: "1" }, packageManager: "pnpm@10.0.0" },
        "pnpm-lock.yaml": "x",
        "package-lock.json": {},
      },
      "lockfile-unsupported",
      "pnpm-lock.yaml",
    ],
    ["a manifest that is no JSON", { "package.json": "{" }, "manifest-invalid", "package.json"],
  ])("[F2] %s is refused", async (_name, files, code, words) => {
    const error = await failureOf(install(treeOf(files)));
    expect(error.code).toBe(code);
    expect(error.message).toContain(words);
    expect(registry.asked).toEqual([]);
  });

  test("npm's own check of the lock is an honest account too", async () => {
    const files = repositoryOf(registry, [{ ...plain }], {
      locked: {
        "node_modules/plain": {
          version: "1.0.0",
          integrity: registry.integrity("plain"),
          dependencies: { absent: "^1.0.0" },
        },
      },
    });
    const error = await failureOf(install(treeOf(files)));
    expect(error.code).toBe("lockfile-out-of-step");
    expect(registry.asked.every((each) => each.startsWith("/plain/"))).toBe(true);
  });
});

test("[F2] the canary installs from its committed lockfile, through the registry this machine is configured for", async () => {
  const canary = path.join(packageRoot, "examples", "slug-canary");
  const reader: TreeReader = {
    tree: "0".repeat(40),
    entries: [],
    read: (file) => readFile(path.join(canary, file)).catch(() => null),
  };
  const dependencies = stage.dependencies();
  const request = { reader, toolchain: stage.toolchain, roots: [""] };
  const cold = await dependencies.install(request);
  expect(await cold.packageVersion("test", "vitest")).toBe("5.1.2");
  expect(await cold.resolveBin("", "vitest")).toBe("/repo/node_modules/vitest/vitest.mjs");
  const warm = await dependencies.install(request);
  expect(warm.facts).toEqual(cold.facts);
  await Promise.all([cold.release(), warm.release()]);
});
