import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { TreeReader } from "../../src/ports/index.ts";
import {
  failureOf,
  installFrom,
  leftovers,
  openStage,
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

describe("[F2] one store, many processes", () => {
  test("two installations at once fetch each package once", async () => {
    const tree = treeOf(repositoryOf(registry, [plain, scoped]));
    const both = await Promise.all([install(tree), install(tree), install(tree)]);
    expect(registry.asked.length).toBe(2);
    expect(new Set(both.map((each) => each.facts[0]?.key)).size).toBe(1);
    await Promise.all(both.map((each) => each.release()));
  });

  test("the lock of a process that died is taken over, and what it left half built is removed", async () => {
    const tree = treeOf(repositoryOf(registry, [plain]));
    const warm = await install(tree);
    await warm.release();
    const store = path.join(stage.cache, "dependencies");
    const key = warm.facts[0]?.key?.slice("sha256:".length) ?? "";
    const dead = spawn(process.execPath, ["-e", ""]);
    await once(dead, "exit");
    const holder = JSON.stringify({ pid: dead.pid, started: "1" });
    await rm(path.join(store, key), { recursive: true });
    await writeFile(path.join(store, `${key}.lock`), holder);
    await mkdir(path.join(store, ".build-left"), { recursive: true });
    await writeFile(path.join(store, ".build-left", "owner"), holder);
    await (await install(tree)).release();
    expect(await leftovers(stage)).toEqual([key]);
  });

  test.each([
    ["without its manifest", "manifest.json"],
    ["without npm's record", "tree/node_modules/.package-lock.json"],
  ])("a store %s is never used: it is built again", async (_name, file) => {
    const tree = treeOf(repositoryOf(registry, [plain]));
    const warm = await install(tree);
    await warm.release();
    const key = warm.facts[0]?.key?.slice("sha256:".length) ?? "";
    await rm(path.join(stage.cache, "dependencies", key, file));
    const again = await install(tree);
    expect(registry.asked.length).toBe(2);
    expect(again.facts).toEqual(warm.facts);
    await again.release();
  });

  test("interrupted while the registry keeps silent: nothing stays behind, and the same install works afterwards", async () => {
    const tree = treeOf(repositoryOf(registry, [plain]));
    const abort = new AbortController();
    registry.answer("/plain/-/plain-1.0.0.tgz", () => abort.abort());
    expect((await failureOf(install(tree, { signal: abort.signal }))).code).toBe("interrupted");
    expect(await leftovers(stage)).toEqual([]);
    registry.answer("/plain/-/plain-1.0.0.tgz", (response) => response.end(registry.tarball("plain")));
    await (await install(tree)).release();
  });
});
